#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Keeps docs/requirements.md and the tests together. A test proves a row by carrying its id, such as [000-57], in its name.
#   requirements.sh check [BUILD_DIR]    fails when the page and the tests disagree
#   requirements.sh update [BUILD_DIR]   writes the names of the tests that exist into the page
# A row without a test must say "planned" and for what; a row that names tests must have them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

mode=${1:-check}
build=${2:-build/dev}
page=docs/requirements.md

# One line per test case: room, tab, name.
list_tests() {
  local binary
  for binary in "$build"/test/test_*; do
    [ -f "$binary" ] && [ -x "$binary" ] || continue
    "$binary" --list-tests --verbosity quiet | sed "s/^ */${binary##*/test_}\t/"
  done
}

merge() {
  awk -v mode="$mode" '
    function complain(text) { print text > "/dev/stderr"; bad = 1 }
    FNR == NR {
      split($0, part, "\t")
      name = part[2]
      plain = name
      gsub(/\[000-[0-9][0-9]\] */, "", plain)
      gsub(/\|/, "\\|", plain)
      while (match(name, /\[000-[0-9][0-9]\]/)) {
        id = substr(name, RSTART + 1, 6)
        name = substr(name, RSTART + RLENGTH)
        entry = part[1] ": " plain
        proof[id] = proof[id] == "" ? entry : proof[id] "<br>" entry
      }
      next
    }
    !/^\| 000-[0-9][0-9] \|/ { print; next }
    {
      split($0, cell, " \\| ")
      id = substr(cell[1], 3, 6)
      old = cell[3]
      sub(/ \|$/, "", old)
      seen[id] = 1
      if (!(id in proof) && old !~ /^planned: ./) complain(id ": names tests that do not exist, or does not say what it is planned for")
      if (id in proof && old != proof[id] && mode == "check") complain(id ": the page does not name its tests; run ./dev requirements")
      print "| " id " | " cell[2] " | " (id in proof ? proof[id] : old) " |"
    }
    END {
      for (id in proof) if (!(id in seen)) complain(id ": has a test and no row")
      for (i = 1; i <= 86; ++i) { id = sprintf("000-%02d", i); if (!(id in seen)) complain(id ": row is missing") }
      exit bad
    }' <(list_tests) "$page"
}

tests=$(list_tests | wc -l)
[ "$tests" -gt 0 ] || die "no test binaries in $build: build them first"
merged=$(mktemp)
trap 'rm -f "$merged"' EXIT
merge >"$merged"
[ "$mode" = check ] || cp "$merged" "$page"
