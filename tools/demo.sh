#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The main job on a real server: two Servers share one kind, a third serves one tenant, one of the two is killed in the
# middle. Ends with a report; the exit status is 1 when any count in it is wrong.
#
#   tools/demo.sh              uses $NATS_SERVER (or nats-server on PATH) and build/release/bin/fabricctl
#   FABRICCTL=... EVENTS=500 tools/demo.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fabricctl=${FABRICCTL:-build/release/bin/fabricctl}
nats_server=${NATS_SERVER:-nats-server}
events=${EVENTS:-2000}
duplicates=$((events / 10))
poison=5
tenants=4
attempts=5
dir=$(mktemp -d)
running=()

finish() {
  for pid in "${running[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$dir"
}
trap finish EXIT

# wait_for WHAT COMMAND...: until it succeeds, at most a minute.
wait_for() {
  local what=$1 end=$((SECONDS + 60)); shift
  until "$@"; do
    if [ $SECONDS -ge $end ]; then echo "demo: $what: not within a minute" >&2; tail -n 3 "$dir"/*.err >&2; exit 1; fi
    sleep 0.1
  done
}

start_server() {
  cat > "$dir/server.conf" <<END
listen: "127.0.0.1:-1"
ports_file_dir: "$dir"
jetstream { store_dir: "$dir/jetstream", sync_interval: "100ms" }
END
  "$nats_server" -c "$dir/server.conf" > "$dir/server.log" 2>&1 & running+=($!)
  wait_for "the server" compgen -G "$dir/*.ports" > /dev/null
  NATS_URL=$(grep -o 'nats://[0-9.]*:[0-9]*' "$dir"/*.ports | head -n 1)
  export NATS_URL
  wait_for "JetStream" ready
}
ready() { "$fabricctl" streams > /dev/null 2>&1; }

# references PREFIX COUNT: one reference per line, spread over the tenants.
references() {
  awk -v prefix="$1" -v count="$2" -v tenants=$tenants 'BEGIN {
    for (n = 0; n < count; ++n)
      printf "{\"tenant\":\"tenant-%d\",\"kind\":\"message_posted\",\"row_id\":\"%s-%d\"}\n", n % tenants, prefix, n
  }'
}

# A handler that does a moment's work and fails for poison, whoever runs it.
handler="printf '%s\n' \"\$ROW_ID\" >> $dir/runs; case \$ROW_ID in poison-*) exit 1;; esac"

# server NAME [OPTIONS]: one Server as a process of its own.
server() {
  local name=$1; shift
  "$fabricctl" --json consume --kind message_posted --ack-wait 2s --exec "$handler" "$@" \
    > "$dir/$name.out" 2> "$dir/$name.err" & running+=($!)
  eval "$name=$!"
}

lines() { cat "$@" | wc -l; }
distinct() { cat "$@" | grep -o '"row_id":"[^"]*"' | sort -u | wc -l; }
redelivered() { cat "$@" | grep -vc '"attempt":1}' || true; }
shared_done() { [ "$(distinct "$dir/alpha.out" "$dir/beta.out")" -ge "$events" ]; }
tenant_done() { [ "$(distinct "$dir/gamma.out")" -ge $((events / tenants)) ]; }
parked_done() { [ "$(lines "$dir/dlq.out")" -ge "$letters" ]; }
half_way() { [ "$(lines "$dir/alpha.out" "$dir/beta.out")" -ge $((events / 3)) ] && [ -s "$dir/alpha.out" ]; }
watching() { [ "$("$fabricctl" consumers | wc -l)" -eq 2 ]; }

failures=0
# check NAME VALUE WANTED
check() {
  local mark=ok
  if [ "$2" != "$3" ]; then mark="WRONG, wanted $3"; failures=$((failures + 1)); fi
  printf '  %-34s %8s   %s\n' "$1" "$2" "$mark"
}

start_server
echo "server ready; provisioning the stream"
"$fabricctl" provision
"$fabricctl" --json dlq > "$dir/dlq.out" 2> "$dir/dlq.err" & running+=($!)
server alpha
server beta
server gamma --tenant tenant-1
wait_for "the consumers" watching

echo "publishing $events references, $duplicates of them twice, and $poison poison"
{ references row "$events"; references row "$duplicates"; references poison $poison; } > "$dir/refs"
# Poison n goes to tenant n % tenants; what falls on tenant-1 is parked by both consumers.
letters=$((poison + (poison + tenants - 2) / tenants))
summary=$("$fabricctl" --json publish --from "$dir/refs")

wait_for "a third of the events" half_way
kill -9 "$alpha"
{ wait "$alpha" || true; } 2> /dev/null
echo "killed Server alpha in the middle"
wait_for "the shared events" shared_done
wait_for "the tenant's events" tenant_done
wait_for "the dead letters" parked_done
kill -TERM "$beta" "$gamma"
wait "$beta" "$gamma"

value() { grep -o "\"$1\":[0-9]*" <<< "$summary" | cut -d: -f2; }
lost=$((events - $(distinct "$dir/alpha.out" "$dir/beta.out")))
lost_tenant=$((events / tenants - $(distinct "$dir/gamma.out")))
twice=$(($(lines "$dir/alpha.out" "$dir/beta.out") - $(distinct "$dir/alpha.out" "$dir/beta.out")))
again=$(redelivered "$dir/alpha.out" "$dir/beta.out")
poison_runs=$(grep -c '^poison-' "$dir/runs")

echo
echo "report"
check "published" "$(value published)" $((events + poison))
check "duplicates collapsed" "$(value duplicates)" "$duplicates"
printf '  %-34s %8s\n' "handled by alpha (killed)" "$(lines "$dir/alpha.out")"
printf '  %-34s %8s\n' "handled by beta" "$(lines "$dir/beta.out")"
check "handled by gamma (tenant-1)" "$(distinct "$dir/gamma.out")" $((events / tenants))
printf '  %-34s %8s\n' "redelivered after the kill" "$again"
if [ "$twice" -gt "$again" ]; then check "handled twice without redelivery" $((twice - again)) 0; fi
check "parked" "$(lines "$dir/dlq.out")" "$letters"
sort "$dir/dlq.out" | sed 's/^.*"subject":"\([^"]*\)","reason":"\([^"]*\)".*row_id\\":\\"\([^\\]*\).*$/    \1 \3: \2/'
check "attempts of poison" "$poison_runs" $((letters * attempts))
check "lost" $((lost + lost_tenant)) 0
[ $failures -eq 0 ] || { echo "demo: $failures wrong" >&2; exit 1; }
echo "all counts are right"
