#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sanitize.sh asan-ubsan|tsan [CTEST ARGS]: all tests under a sanitizer, with servers as plain processes for speed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh
. scripts/setup.sh
. scripts/build.sh
. scripts/ctest.sh

preset=${1:-}
case $preset in
  asan-ubsan) setup_base ;;
  tsan) setup_clang ;;
  *) die "usage: ./dev sanitize asan-ubsan|tsan" ;;
esac
shift

export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1
# Without a symbolizer no suppression matches.
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:suppressions=$PWD/config/tsan.supp
TSAN_OPTIONS+=:allow_addr2line=1:external_symbolizer_path=$(command -v addr2line)
export COMPASS_FABRIC_SERVER_MODE=${COMPASS_FABRIC_SERVER_MODE:-process}
build_preset "$preset"
use_server
log=build/$preset.test.log
status=0
run_ctest "$preset" "$@" | tee "$log" || status=$?
# A finding counts also when the test passed at a second try.
if grep -E 'WARNING: ThreadSanitizer|ERROR: (Address|Leak)Sanitizer|runtime error:' "$log"; then status=1; fi
exit $status
