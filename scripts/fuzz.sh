#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh [SECONDS]: runs every fuzz target that long. The kept inputs are read from test/fuzz/corpus, new ones go to
# build/fuzz/new, and what makes a target fail to build/fuzz/found. Prints a line per target.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh
. scripts/setup.sh
. scripts/build.sh

seconds=${1:-30}
[[ $seconds =~ ^[0-9]+$ ]] || die "usage: ./dev fuzz [SECONDS]"
setup_clang
build_preset fuzz

status=0
for target in build/fuzz/test/fuzz/fuzz_*; do
  [ -x "$target" ] && [ -f "$target" ] || continue
  name=${target##*/fuzz_}
  mkdir -p "build/fuzz/new/$name" build/fuzz/found "test/fuzz/corpus/$name"
  if "$target" -max_total_time="$seconds" -timeout=10 -artifact_prefix="build/fuzz/found/$name-" -print_final_stats=1 \
    "build/fuzz/new/$name" "test/fuzz/corpus/$name" >"build/fuzz/$name.log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$name.log")
    echo "fuzz $name: passed ($runs inputs in $seconds s)"
  else
    tail -40 "build/fuzz/$name.log"
    echo "fuzz $name: failed"
    status=1
  fi
done
exit $status
