// SPDX-License-Identifier: Apache-2.0
#include "tools/fabricctl.hpp"

#include <compass_fabric/testing/eventually.hpp>
#include "testing/json_value.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>

using namespace fabricctl_test;
using namespace std::chrono_literals;
using compass_fabric::testing::json_int;
using compass_fabric::testing::json_string;

TEST_CASE("bad usage is status 2 and explained on standard error", "[tools]") {
  const std::vector<std::vector<std::string>> lines{
      {},
      {"no-such-command"},
      {"pub"},
      {"publish", "--tenant", "t"},
      {"publish"},
      {"publish", "--from", "x", "--tenant", "t", "--kind", "message_posted", "--row", "1"},
      {"provision", "--mode", "other"},
      {"provision", "--replicas", "2"},
      {"sub", "x", "--count", "0"},
      {"consume"},
      {"--timeout", "never", "streams"},
  };
  for (const auto& arguments : lines) {
    std::vector<std::string> line{COMPASS_FABRIC_FABRICCTL};
    line.insert(line.end(), arguments.begin(), arguments.end());
    const auto result = compass_fabric::testing::run_process(line);
    CAPTURE(result.err);
    CHECK(result.status == 2);
    CHECK(!result.err.empty());
    CHECK(result.out.empty());
  }
  CHECK(compass_fabric::testing::run_process({COMPASS_FABRIC_FABRICCTL, "--help"}).status == 0);
}

TEST_CASE("what is not understood is named before what is missing", "[tools]") {
  const std::vector<std::vector<std::string>> lines{{"no-such-thing"}, {"pub", "--no-such-thing"}};
  for (const auto& arguments : lines) {
    std::vector<std::string> line{COMPASS_FABRIC_FABRICCTL};
    line.insert(line.end(), arguments.begin(), arguments.end());
    const auto result = compass_fabric::testing::run_process(line);
    CHECK(result.status == 2);
    CHECK(result.err.find("no-such-thing") != std::string::npos);
    CHECK(result.err.find("required") == std::string::npos);
  }
}

TEST_CASE("no server is status 1 with one line that names it", "[tools]") {
  const auto result = compass_fabric::testing::run_process(
      {COMPASS_FABRIC_FABRICCTL, "--server", "nats://127.0.0.1:9", "--timeout", "500ms", "streams"});
  CHECK(result.status == 1);
  CHECK(lines(result.err).size() == 1);
  CHECK(result.err.find("127.0.0.1:9") != std::string::npos);
}

TEST_CASE("NATS_URL names the server when no option does", "[tools]") {
  nats_server server;
  process_options options;
  options.env = {"NATS_URL=" + server.url()};
  CHECK(compass_fabric::testing::run_process({COMPASS_FABRIC_FABRICCTL, "streams"}, options).status == 0);
}

TEST_CASE("pub and sub carry payload, header fields and reply", "[tools]") {
  nats_server server;
  process sub(command_line(server, {"--json", "sub", "greet.*", "--count", "3"}));
  // The subscription is there when the server knows it.
  CHECK(eventually_blocking([&] { return server.monitor("/subsz?subs=1").find("greet.*") != std::string::npos; }));
  const auto sent = fabricctl(server, {"pub", "greet.ann", "hello", "-H", "A: 1", "-H", "A: 2", "--reply", "here"});
  CHECK(sent.status == 0);
  process_options from_input;
  from_input.input = "two\nlines";
  CHECK(fabricctl(server, {"pub", "greet.bob", "-", "--count", "2"}, from_input).status == 0);
  CHECK(sub.wait() == 0);
  const auto got = lines(sub.out());
  REQUIRE(got.size() == 3);
  CHECK(got[0] == R"({"subject":"greet.ann","reply":"here","headers":{"A":["1","2"]},"payload":"hello"})");
  CHECK(got[1] == R"({"subject":"greet.bob","payload":"two\u000alines"})");
  CHECK(got[2] == got[1]);
}

TEST_CASE("a publish to a wildcard or with a broken header field fails and says which", "[tools]") {
  nats_server server;
  const auto wildcard = fabricctl(server, {"pub", "a.*", "x"});
  CHECK(wildcard.status == 1);
  CHECK(wildcard.err.find("a.*") != std::string::npos);
  const auto field = fabricctl(server, {"pub", "a", "x", "-H", "no colon"});
  CHECK(field.status == 1);
  CHECK(field.err.find("no colon") != std::string::npos);
}

TEST_CASE("request prints the answer of reply, and fails when nobody answers", "[tools]") {
  nats_server server;
  process reply(command_line(server, {"reply", "time.now", "noon", "--count", "1"}));
  CHECK(eventually_blocking([&] { return server.monitor("/subsz?subs=1").find("time.now") != std::string::npos; }));
  const auto answer = fabricctl(server, {"request", "time.now", "?"});
  CHECK(answer.status == 0);
  CHECK(answer.out == "noon\n");
  CHECK(reply.wait() == 0);
  CHECK(reply.out() == "time.now\t?\n");
  const auto nobody = fabricctl(server, {"request", "time.never", "?"});
  CHECK(nobody.status == 1);
  CHECK(nobody.err.find("no responders") != std::string::npos);
}

TEST_CASE("provision applies and verifies", "[tools]") {
  nats_server server;
  const auto missing = fabricctl(server, {"provision", "--mode", "verify"});
  CHECK(missing.status == 1);
  CHECK(missing.err.find("COMPASS_COMMS: missing") != std::string::npos);
  CHECK(fabricctl(server, {"provision"}).out == "stream COMPASS_COMMS: replicas 1, messages 0\n");
  CHECK(fabricctl(server, {"provision", "--mode", "verify"}).status == 0);
  CHECK(fabricctl(server, {"provision", "--replicas", "3"}).status == 1);
}

TEST_CASE("publish prints stream, sequence and duplicate, and refuses a bad reference by field", "[tools]") {
  nats_server server;
  CHECK(fabricctl(server, {"provision"}).status == 0);
  const std::vector<std::string> one{"--json", "publish", "--tenant", "t", "--kind", "message_posted", "--row", "1"};
  CHECK(fabricctl(server, one).out == "{\"stream\":\"COMPASS_COMMS\",\"sequence\":1,\"duplicate\":false}\n");
  CHECK(fabricctl(server, one).out == "{\"stream\":\"COMPASS_COMMS\",\"sequence\":1,\"duplicate\":true}\n");
  const auto dotted = fabricctl(server, {"publish", "--tenant", "a.b", "--kind", "message_posted", "--row", "1"});
  CHECK(dotted.status == 1);
  CHECK(dotted.err.find("tenant: '.' at byte 1") != std::string::npos);
  const auto unknown = fabricctl(server, {"publish", "--tenant", "t", "--kind", "other", "--row", "1"});
  CHECK(unknown.status == 1);
  CHECK(unknown.err.find("kind: not one of") != std::string::npos);
}

TEST_CASE("publish --from takes a reference per line and sums up", "[tools]") {
  nats_server server;
  CHECK(fabricctl(server, {"provision"}).status == 0);
  process_options input;
  for (int row = 0; row != 3000; ++row)
    input.input += reference("t", "message_posted", std::to_string(row % 2500)) + "\n";
  CHECK(fabricctl(server, {"publish", "--from", "-"}, input).out == "published 2500, duplicates 500, failed 0\n");
  input.input = reference("t", "message_posted", "new") + "\n\nnot json\n" + reference("*", "message_posted", "1");
  const auto mixed = fabricctl(server, {"--json", "publish", "--from", "-"}, input);
  CHECK(mixed.status == 1);
  CHECK(mixed.out == "{\"published\":1,\"duplicates\":0,\"failed\":2}\n");
  CHECK(mixed.err.find("line 3: payload") != std::string::npos);
  CHECK(mixed.err.find("line 4: tenant") != std::string::npos);
}

TEST_CASE("consume prints references, streams and consumers show what waits", "[tools]") {
  nats_server server;
  CHECK(fabricctl(server, {"provision"}).status == 0);
  process_options input;
  for (int row = 0; row != 10; ++row) input.input += reference("t", "message_posted", std::to_string(row)) + "\n";
  CHECK(fabricctl(server, {"publish", "--from", "-"}, input).status == 0);
  const auto some = fabricctl(server, {"consume", "--kind", "message_posted", "--tenant", "t", "--count", "4"});
  CHECK(some.status == 0);
  CHECK(lines(some.out) ==
        std::vector<std::string>{reference("t", "message_posted", "0"), reference("t", "message_posted", "1"),
                                 reference("t", "message_posted", "2"), reference("t", "message_posted", "3")});
  const auto consumers = lines(fabricctl(server, {"--json", "consumers"}).out);
  REQUIRE(consumers.size() == 1);
  CHECK(json_string(consumers[0], "/subject") == "compass.t.comms.message_posted");
  CHECK(json_int(consumers[0], "/pending").value_or(-1) + json_int(consumers[0], "/ack_pending").value_or(-1) == 6);
  const auto streams = lines(fabricctl(server, {"--json", "streams"}).out);
  REQUIRE(streams.size() == 1);
  CHECK(json_int(streams[0], "/messages") == 10);
  CHECK(json_string(streams[0], "/stream") == "COMPASS_COMMS");
}

TEST_CASE("consume --exec passes the reference by input and environment, and dlq shows what was parked", "[tools]") {
  nats_server server;
  CHECK(fabricctl(server, {"provision"}).status == 0);
  process dlq(command_line(server, {"dlq", "--count", "1"}));
  CHECK(eventually_blocking(
      [&] { return server.monitor("/subsz?subs=1").find("compass.dlq.comms") != std::string::npos; }));
  process_options input;
  input.input = reference("t", "message_posted", "bad") + "\n" + reference("t", "message_posted", "good") + "\n";
  CHECK(fabricctl(server, {"publish", "--from", "-"}, input).status == 0);
  const std::string script = R"(read line; echo "$TENANT $KIND $ROW_ID $line"; [ "$ROW_ID" = good ])";
  process consume(command_line(server, {"consume", "--kind", "message_posted", "--exec", script}));
  CHECK(dlq.wait() == 0);
  CHECK(dlq.out() ==
        "compass.t.comms.message_posted\texit status 1\t" + reference("t", "message_posted", "bad") + "\n");
  consume.signal(SIGTERM);
  CHECK(consume.wait() == 0);
  const auto out = lines(consume.out());
  const auto bad = "t message_posted bad " + reference("t", "message_posted", "bad");
  CHECK(std::count(out.begin(), out.end(), bad) == 5);
  CHECK(std::count(out.begin(), out.end(), reference("t", "message_posted", "good")) == 1);
}

TEST_CASE("sub, dlq and consume end cleanly on SIGINT and SIGTERM, and unhandled events go to a peer", "[tools]") {
  nats_server server;
  CHECK(fabricctl(server, {"provision"}).status == 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    process sub(command_line(server, {"sub", "x"}));
    process dlq(command_line(server, {"dlq"}));
    CHECK(eventually_blocking([&] {
      const auto subs = server.monitor("/subsz?subs=1");
      return subs.find("\"x\"") != std::string::npos && subs.find("compass.dlq.comms") != std::string::npos;
    }));
    sub.signal(signal);
    dlq.signal(signal);
    CHECK(sub.wait() == 0);
    CHECK(dlq.wait() == 0);
  }
  process_options input;
  for (int row = 0; row != 10; ++row) input.input += reference("t", "message_posted", std::to_string(row)) + "\n";
  CHECK(fabricctl(server, {"publish", "--from", "-"}, input).status == 0);
  process slow(command_line(
      server, {"--timeout", "200ms", "consume", "--kind", "message_posted", "--exec", "echo started; exec sleep 600"}));
  CHECK(eventually_blocking([&] { return !slow.out().empty(); }));
  slow.signal(SIGTERM);
  CHECK(slow.wait() == 0);
  const auto rest = fabricctl(server, {"consume", "--kind", "message_posted", "--count", "10"});
  CHECK(lines(rest.out).size() == 10);
}
