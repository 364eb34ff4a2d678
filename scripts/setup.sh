# SPDX-License-Identifier: Apache-2.0
# Installs Debian packages; quiet and without a call to apt when all is there. Sourced.

base_packages=(g++ cmake ninja-build ccache libboost1.83-dev catch2 libsimdjson-dev libfmt-dev libssl-dev libcli11-dev
  pkg-config   git ca-certificates curl)
clang_packages=(clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev)

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Catch2 2 has the same package name.
catch2_is_3() { dpkg --compare-versions "$(dpkg-query -W -f='${Version}' catch2 2>/dev/null)" ge 3; }

missing_packages() {
  local package
  for package in "$@"; do
    if ! installed "$package" || { [ "$package" = catch2 ] && ! catch2_is_3; }; then echo "$package"; fi
  done
}

on_bookworm() { grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release; }

# Boost 1.83 and Catch2 3 are in Debian 12's backports.
add_backports() {
  if ! on_bookworm || apt-cache policy | grep -q bookworm-backports; then return 0; fi
  say "adding the bookworm-backports source"
  echo 'deb http://deb.debian.org/debian bookworm-backports main' |
    as_root tee /etc/apt/sources.list.d/bookworm-backports.list >/dev/null
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  have apt-get || die "please install these packages of Debian 12 by hand: ${missing[*]}"
  say "installing ${missing[*]}"
  add_backports
  # A broken source that we do not need is no reason to stop: the installation itself will tell.
  as_root apt-get -qq update >&2 || say "apt-get update reported an error; going on"
  if on_bookworm; then missing=("${missing[@]/#catch2/catch2/bookworm-backports}"); fi
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}" >&2 ||
    die "could not install ${missing[*]}"
}

setup_base() { install_packages "${base_packages[@]}"; }
setup_clang() { install_packages "${base_packages[@]}" "${clang_packages[@]}"; }
