#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formatting, include rules and clang-tidy. Prints a line per step; all steps run even if one fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh
. scripts/setup.sh

setup_clang
mkdir -p build
status=0

step() {
  local name=$1
  shift
  if "$@"; then echo "lint $name: passed"; else echo "lint $name: failed"; status=1; fi
}

formatting() { project_sources | xargs -0 clang-format-19 --dry-run -Werror; }

# The library and the programs; tests are formatted and compiled with all warnings, which is enough for them.
tidy() {
  cmake --preset dev >build/dev.configure.log 2>&1 || { cat build/dev.configure.log; return 1; }
  git ls-files -z -- 'src/*.cpp' 'tools/*.cpp' 'bench/*.cpp' |
    xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 -p build/dev --quiet --warnings-as-errors='*' 2>build/tidy.log ||
    { grep -v 'warnings generated\|Suppressed\|Use -header-filter' build/tidy.log; return 1; }
}

step formatting formatting
step includes scripts/check_includes.sh
step clang-tidy tidy
exit $status
