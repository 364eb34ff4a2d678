#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check.sh installed|subdirectory|shared BUILD_DIR: builds and runs the consumer in that way; BUILD_DIR is a build of the
# library whose compiler and flags it uses.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
way=$1
library=$2
work=$library/consume/$way
rm -rf "$work"

cached() { sed -n "s/^$1:[A-Z]*=//p" "$library/CMakeCache.txt"; }
common=(-G Ninja -DCMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)" -DCMAKE_BUILD_TYPE="$(cached CMAKE_BUILD_TYPE)"
  -DCMAKE_CXX_FLAGS_DEBUG="$(cached CMAKE_CXX_FLAGS_DEBUG)"
  -DCMAKE_CXX_COMPILER_LAUNCHER="$(cached CMAKE_CXX_COMPILER_LAUNCHER)")

case $way in
  installed)
    cmake --install "$library" --prefix "$work/prefix" >/dev/null
    cmake -S "$here" -B "$work/build" "${common[@]}" -DCMAKE_PREFIX_PATH="$work/prefix" ;;
  shared)
    cmake -S "$root" -B "$work/library" "${common[@]}" -DBUILD_SHARED_LIBS=ON -DCOMPASS_FABRIC_BUILD_TESTS=OFF \
      -DCOMPASS_FABRIC_BUILD_TOOLS=OFF -DCOMPASS_FABRIC_BUILD_BENCH=OFF -DCOMPASS_FABRIC_BUILD_EXAMPLES=OFF
    cmake --build "$work/library"
    cmake --install "$work/library" --prefix "$work/prefix" >/dev/null
    cmake -S "$here" -B "$work/build" "${common[@]}" -DCMAKE_PREFIX_PATH="$work/prefix" ;;
  subdirectory)
    cmake -S "$here" -B "$work/build" "${common[@]}" -DLIBRARY_SOURCE="$root" ;;
  *) echo "unknown way $way" >&2; exit 2 ;;
esac
cmake --build "$work/build"
"$work/build/consumer"
# The build that this belongs to has the library for tests; the other two ways show that one can do without.
if [ "$way" = installed ]; then "$work/build/consumer_test"; fi
