# SPDX-License-Identifier: Apache-2.0
# Runs a preset's tests against a real server. Sourced.

# Decides once for all test processes where their servers run; COMPASS_FABRIC_SERVER_MODE, if set, has decided already.
use_server() {
  NATS_SERVER=$(scripts/nats_server.sh path)
  if [ -z "${COMPASS_FABRIC_SERVER_MODE:-}" ]; then
    if engine_answers; then COMPASS_FABRIC_SERVER_MODE=container; else COMPASS_FABRIC_SERVER_MODE=process; fi
  fi
  # Tests that take a server off its network want a container in either mode.
  if [ "$COMPASS_FABRIC_SERVER_MODE" = container ] || engine_answers; then
    COMPASS_FABRIC_SERVER_IMAGE=$(scripts/nats_server.sh image)
    export COMPASS_FABRIC_SERVER_IMAGE
  fi
  if [ "$COMPASS_FABRIC_SERVER_MODE" = container ]; then
    say "tests run nats-server in containers of $COMPASS_FABRIC_SERVER_IMAGE"
  else
    say "tests run nats-server as plain processes of $NATS_SERVER"
  fi
  export NATS_SERVER COMPASS_FABRIC_SERVER_MODE
}

# run_ctest PRESET [CTEST ARGS...]
run_ctest() {
  local preset=$1
  shift
  ctest --test-dir "build/$preset" --no-tests=error --output-on-failure --parallel "$(nproc)" "$@"
}
