#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the dev preset and runs all tests and checks, or with arguments those that `ctest` selects by them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh
. scripts/setup.sh
. scripts/build.sh
. scripts/ctest.sh

setup_base
build_preset dev
use_server
run_ctest dev "$@"
