#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# soak.sh [SECONDS]: a cluster of three under load whose nodes leave, die, freeze and vanish in turn for that long
# (default 300).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh
. scripts/setup.sh
. scripts/build.sh
. scripts/ctest.sh

export COMPASS_FABRIC_SOAK_SECONDS=${1:-300}
[[ $COMPASS_FABRIC_SOAK_SECONDS =~ ^[0-9]+$ ]] || die "usage: ./dev soak [SECONDS]"
setup_base
build_preset dev test_soak
use_server
exec build/dev/test/test_soak
