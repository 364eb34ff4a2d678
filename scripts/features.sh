#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# features.sh BUILD_DIR: docs/features.md has every row, each `yes` names tests that exist, each `no` a reason.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

build=${1:-build/dev}

list_tests() {
  local binary
  for binary in "$build"/test/test_*; do
    [ -f "$binary" ] && [ -x "$binary" ] || continue
    "$binary" --list-tests --verbosity quiet | sed "s/^ */${binary##*/test_}: /"
  done
  printf 'consume: %s\n' installed subdirectory shared
}

tests=$(list_tests)
[ -n "$tests" ] || die "no test binaries in $build: build them first"
awk '
  function complain(text) { print text > "/dev/stderr"; bad = 1 }
  FNR == NR { known[$0] = 1; next }
  !/^\| [0-9]+ \|/ { next }
  {
    gsub(/\\\|/, "\001")
    split($0, cell, / \| /)
    id = substr(cell[1], 3) + 0
    proof = cell[4]
    sub(/ \|$/, "", proof)
    gsub(/\001/, "|", proof)
    seen[id] = 1
    if (proof == "") complain(id ": neither a test nor a reason")
    if (cell[3] == "no") next
    if (cell[3] != "yes") complain(id ": neither yes nor no")
    count = split(proof, test, "<br>")
    for (i = 1; i <= count; ++i) if (!(test[i] in known)) complain(id ": no such test: " test[i])
  }
  END {
    for (i = 1; i <= 209; ++i) if ((i <= 106 || i >= 186) && !(i in seen)) complain(i ": row is missing")
    exit bad
  }' <(printf '%s\n' "$tests") docs/features.md
