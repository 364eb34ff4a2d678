// SPDX-License-Identifier: Apache-2.0
// The benchmark driver works: every operation, in every style, against a real server. It measures nothing here.
#include "tools/fabricctl.hpp"

#include <compass_fabric/testing/eventually.hpp>
#include "testing/json_value.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace fabricctl_test;
using compass_fabric::testing::json_int;

namespace {

std::vector<std::string> bench_line(nats_server& server, std::vector<std::string> arguments) {
  std::vector<std::string> line{COMPASS_FABRIC_NATS_BENCH, "--port", std::to_string(server.port())};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return line;
}

/// Runs to its end and checks the line it prints.
void check_run(nats_server& server, const std::vector<std::string>& arguments, std::int64_t operations) {
  const auto result = compass_fabric::testing::run_process(bench_line(server, arguments));
  CAPTURE(arguments, result.err);
  CHECK(result.status == 0);
  CHECK(json_int(result.out, "/msgs") == operations);
}

}  // namespace

TEST_CASE("the benchmark driver publishes, requests and holds connections and subscriptions", "[tools][row204]") {
  nats_server server;
  check_run(server, {"--op", "pub", "--msgs", "2000"}, 2000);
  check_run(server, {"--op", "pub", "--msgs", "2000", "--style", "sync"}, 2000);
  check_run(server, {"--op", "idle", "--conns", "3"}, 3);
  check_run(server, {"--op", "subs", "--subs", "100"}, 100);
  process reply(command_line(server, {"reply", "bench", "answer", "--count", "602"}));
  CHECK(eventually_blocking([&] { return server.monitor("/subsz?subs=1").find("\"bench\"") != std::string::npos; }));
  check_run(server, {"--op", "req", "--msgs", "300", "--warmup", "1"}, 300);
  check_run(server, {"--op", "req", "--msgs", "300", "--warmup", "1", "--inflight", "8"}, 300);
}

TEST_CASE("the benchmark driver receives in every style", "[tools][row204]") {
  nats_server server;
  for (const std::string style : {"default", "view", "owned", "pull"}) {
    process sub(bench_line(server, {"--op", "sub", "--msgs", "500", "--style", style}));
    CHECK(eventually_blocking([&] { return sub.out().find("ready") != std::string::npos; }));
    const std::string payload(128, 'x');
    CHECK(fabricctl(server, {"pub", "bench", payload, "--count", "500"}).status == 0);
    CAPTURE(style, sub.err());
    CHECK(sub.wait() == 0);
  }
}

TEST_CASE("the benchmark driver publishes into a stream and pulls from it", "[tools][row204]") {
  nats_server server;
  CHECK(fabricctl(server, {"provision"}).status == 0);
  const std::string subject = "compass.t.comms.message_posted";
  check_run(server, {"--op", "jspub", "--msgs", "50", "--subject", subject, "--warmup", "0"}, 50);
  check_run(server, {"--op", "jspub", "--msgs", "450", "--subject", subject, "--warmup", "0", "--window", "100"}, 450);
  const std::string durable =
      R"({"stream_name":"COMPASS_COMMS","config":{"durable_name":"C","ack_policy":"explicit"}})";
  const auto made = fabricctl(server, {"request", "$JS.API.CONSUMER.DURABLE.CREATE.COMPASS_COMMS.C", durable});
  CHECK(made.status == 0);
  const std::vector<std::string> pull{"--op", "jspull", "--stream", "COMPASS_COMMS", "--msgs", "250", "--batch", "50"};
  for (const std::string style : {"fetch", "consume"}) {
    auto arguments = pull;
    arguments.insert(arguments.end(), {"--style", style});
    check_run(server, arguments, 250);
  }
}
