# SPDX-License-Identifier: Apache-2.0
# Configures and builds presets. Sourced.

# build_preset NAME [TARGET...]: everything, or the targets.
build_preset() {
  local preset=$1
  shift
  mkdir -p build
  cmake --preset "$preset" >"build/$preset.configure.log" 2>&1 ||
    { cat "build/$preset.configure.log" >&2; die "cannot configure $preset"; }
  cmake --build --preset "$preset" ${1:+--target "$@"} >&2
}

build_release() { build_preset release; }
