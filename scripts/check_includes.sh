#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks which room may include what, and the habits that a search can find. Prints every breach; fails if there is one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/lib.sh

std='<[a-z_0-9]+>'
light='<boost/(asio/(awaitable|any_io_executor)|system/(error_code|system_error|result)|assert/source_location)[.]hpp>'
client_api='<compass_fabric/[a-z_0-9]+[.]hpp>'
jetstream_api='<compass_fabric/jetstream/[a-z_0-9]+[.]hpp>'
fabric_api='<compass_fabric/fabric/[a-z_0-9]+[.]hpp>'
any_api="$client_api|$jetstream_api|$fabric_api"
asio='<boost/(asio|system|intrusive|beast)/[a-z_/]+[.]hpp>'
json='<simdjson[.]h>|<fmt/[a-z]+[.]h>'
testing_api='<compass_fabric/testing/[a-z_0-9]+[.]hpp>'
posix='<(fcntl|poll|unistd)[.]h>|<(arpa|netinet|sys)/[a-z]+[.]h>'
# Public headers of plain data, which the protocol code fills.
plain='<compass_fabric/(address_order|errc|headers_view|monitoring_data|secret|server_info)[.]hpp>'

# The files that match the first expression may include only what matches the second; the first rule that fits counts.
rules=(
  # The bridge to completion tokens is a template by nature: the one header that has to know Asio's machinery.
  '^include/compass_fabric/async[.]hpp' "$std|$light|<boost/asio/[a-z_0-9]+[.]hpp>|$client_api"
  '^include/compass_fabric/compass_fabric[.]hpp' "$any_api"
  '^include/compass_fabric/jetstream/' "$std|$light|$client_api|$jetstream_api"
  '^include/compass_fabric/fabric/' "$std|$light|$any_api"
  # Tests wait and run coroutines with Asio's own means.
  '^include/compass_fabric/testing/' "$std|<boost/asio/[a-z_0-9]+[.]hpp>|$testing_api"
  '^include/compass_fabric/' "$std|$light|$client_api"
  '^src/proto/.*[.]hpp' "$std|\"proto/[a-z_0-9]+[.]hpp\"|$plain|<openssl/[a-z]+[.]h>"
  '^src/proto/' "$std|\"proto/[a-z_0-9]+[.]hpp\"|$plain|$json|<openssl/[a-z]+[.]h>"
  # Reads without a stream's buffer, which nobody would wipe.
  '^src/client/secret_file[.]cpp' "$std|\"client/[a-z_0-9]+[.]hpp\"|<(fcntl|unistd)[.]h>"
  # Tells AddressSanitizer which of its memory is not in use.
  '^src/client/block_cache[.]cpp' "$std|\"client/[a-z_0-9]+[.]hpp\"|<sanitizer/asan_interface[.]h>"
  '^src/client/' "$std|\"(client|proto)/[a-z_0-9]+[.]hpp\"|$client_api|$asio|<fmt/[a-z]+[.]h>|<openssl/[a-z0-9_]+[.]h>"
  '^src/jetstream/' "$std|\"(jetstream/[a-z_0-9]+|proto/(json_writer|subject|byte_class|deadline_queue))[.]hpp\"|$client_api|$jetstream_api|$asio|$json"
  '^src/testing/' "$std|\"testing/[a-z_0-9]+[.]hpp\"|$testing_api|$asio|$json|$posix|<openssl/[a-z0-9_]+[.]h>"
  '^src/fabric/' "$std|\"fabric/[a-z_0-9]+[.]hpp\"|$any_api|$asio|$json|<openssl/[a-z]+[.]h>"
)

check_includes() {
  git ls-files -z --cached --others --exclude-standard -- '*.hpp' '*.cpp' |
    xargs -0 grep -HnoE '^ *# *include +(<[^>]+>|"[^"]+")' |
    sed -E 's/# *include +//' |
    awk -v count=${#rules[@]} '
      BEGIN { for (i = 1; i <= count; ++i) rule[i] = ARGV[i]; ARGC = 1 }
      {
        split($0, part, ":")
        for (i = 1; i < count; i += 2) {
          if (part[1] !~ rule[i]) continue
          if (part[3] !~ "^ *(" rule[i + 1] ")$") { print part[1] ":" part[2] ": may not include " part[3]; bad = 1 }
          break
        }
      }
      END { exit bad }' "${rules[@]}"
}

# must_not_say WHY PATTERN PATH...
must_not_say() {
  local why=$1 pattern=$2 found
  shift 2
  found=$(git grep --untracked -nE "$pattern" -- "$@" || true)
  [ -z "$found" ] || { printf '%s\n' "$found" | sed "s|\$|   <- $why|"; return 1; }
}

status=0
check_includes || status=1
must_not_say "proto has no clock and no randomness of its own" '::now\(\)|random_device|<random>' src/proto || status=1
must_not_say "g++ awaits the expression of a Catch2 macro twice" '(CHECK|REQUIRE)[A-Z_]*\(.*co_await' 'test/*.cpp' || status=1
must_not_say "tests wait for a condition, not for a time" 'sleep_for|sleep_until' 'test/*_test.cpp' || status=1
must_not_say "programs use public headers" '#include "(proto|client|jetstream|fabric|testing)/' tools examples bench test/consume || status=1
must_not_say "say what is missing in the issue tracker" '\b(T[O]DO|F[I]XME|X[X]X)\b' '*.cpp' '*.hpp' '*.cmake' '*.sh' || status=1
must_not_say "subject literals belong to the grammar" '"(compass\.|client\.)' 'src/*.cpp' 'src/*.hpp' ':!src/fabric/subject*' || status=1
missing=$(project_sources | xargs -0 grep -L -m1 'SPDX-License-Identifier: Apache-2.0' || true)
[ -z "$missing" ] || { printf '%s: no licence line\n' $missing; status=1; }
exit $status
