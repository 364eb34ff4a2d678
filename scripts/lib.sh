# SPDX-License-Identifier: Apache-2.0
# What the scripts share; sourced from the project's root.

# Tools that run a compiler in several work trees then share their results.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# All C++ files of the project, NUL-separated; also new ones that git does not know yet.
project_sources() {
  git ls-files -z --cached --others --exclude-standard -- '*.hpp' '*.cpp'
}

engine_answers() { have docker && timeout 5 docker version --format '{{.Server.Version}}' >/dev/null 2>&1; }
