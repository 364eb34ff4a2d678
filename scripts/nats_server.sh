#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Finds or fetches the nats-server that demo and tests use.
#   nats_server.sh path    prints its path
#   nats_server.sh image   prints the name of its image, pulled or built if need be
# Only the answer goes to standard output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

version=2.15.2
image=nats:$version
tools=$PWD/build/tools
cached=$tools/nats-server

suitable() { [ -x "$1" ] && [[ "$("$1" --version 2>/dev/null)" == "nats-server: v2.15."* ]]; }

# Go 1.21 and later fetch the toolchain that a module asks for; earlier ones cannot build it.
go_can_build() { have go && [[ "$(go env GOVERSION 2>/dev/null)" =~ ^go1\.(2[1-9]|[3-9][0-9])([.]|$) ]]; }

install_with_go() {
  go_can_build || return 1
  say "building nats-server $version with go install"
  GOBIN=$tools CGO_ENABLED=0 GOFLAGS= go install -trimpath "github.com/nats-io/nats-server/v2@v$version" >&2
}

# The release's own SHA256SUMS is what the digest is checked against: it catches a damaged or mixed-up download, not a
# replaced release.
install_from_archive() {
  local arch name url dir
  case $(uname -m) in x86_64) arch=amd64 ;; aarch64) arch=arm64 ;; *) return 1 ;; esac
  have curl || return 1
  name=nats-server-v$version-linux-$arch
  url=https://github.com/nats-io/nats-server/releases/download/v$version
  say "fetching $name from the release page"
  dir=$(mktemp -d)
  (
    cd "$dir"
    curl -fsSL --max-time 300 -O "$url/$name.tar.gz" -O "$url/SHA256SUMS" &&
      grep " [ *]*$name.tar.gz\$" SHA256SUMS | sha256sum --check --status &&
      tar -xzf "$name.tar.gz" && install -m 755 "$name/nats-server" "$cached"
  ) >&2
  local status=$?
  rm -rf "$dir"
  return $status
}

find_server() {
  if [ -n "${NATS_SERVER:-}" ]; then
    suitable "$NATS_SERVER" || die "NATS_SERVER=$NATS_SERVER is not a nats-server 2.15"
    echo "$NATS_SERVER"
  elif suitable "$(command -v nats-server || true)"; then
    command -v nats-server
  else
    mkdir -p "$tools"
    exec 9>"$tools/.lock"
    flock 9
    suitable "$cached" || install_with_go || install_from_archive || true
    suitable "$cached" || die "no nats-server $version: set NATS_SERVER, or install Go 1.21 or later, or reach the release page"
    echo "$cached"
  fi
}

# The layout of the official image, so that whichever of the two is there behaves the same.
build_image() {
  local server dir
  server=$(find_server)
  ! ldd "$server" >/dev/null 2>&1 || die "$server is not static, no image can be built around it"
  say "building $image around $server"
  dir=$(mktemp -d)
  cp "$server" config/Dockerfile config/nats-server.conf "$dir/"
  DOCKER_BUILDKIT=0 docker build --quiet --tag "$image" "$dir" >"$dir/log" 2>&1 || { cat "$dir/log" >&2; rm -rf "$dir"; return 1; }
  rm -rf "$dir"
}

ensure_image() {
  mkdir -p "$tools"
  exec 8>"$tools/.image.lock"
  flock 8
  if ! docker image inspect "$image" >/dev/null 2>&1; then
    timeout 60 docker pull --quiet "$image" >/dev/null 2>&1 || build_image
  fi
  echo "$image"
}

case ${1:-} in
  path) find_server ;;
  image) ensure_image ;;
  *) die "usage: nats_server.sh path|image" ;;
esac
