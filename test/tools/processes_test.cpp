// SPDX-License-Identifier: Apache-2.0
// The main job over real processes that are killed without warning.
#include <compass_fabric/testing/eventually.hpp>
#include <compass_fabric/testing/temp_dir.hpp>
#include "testing/json_value.hpp"
#include "tools/fabricctl.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <map>
#include <memory>
#include <set>

using namespace fabricctl_test;
using namespace std::chrono_literals;
using compass_fabric::testing::json_int;
using compass_fabric::testing::json_string;
using compass_fabric::testing::read_file;
using compass_fabric::testing::temp_dir;

namespace {

std::string references(int count, const std::string& prefix = "") {
  std::string text;
  for (int row = 0; row != count; ++row) text += reference("t", "message_posted", prefix + std::to_string(row)) + "\n";
  return text;
}

void publish(const nats_server& server, const std::string& refs) {
  process_options input;
  input.input = refs;
  REQUIRE(fabricctl(server, {"publish", "--from", "-"}, input).status == 0);
}

std::vector<std::string> consume(const std::vector<std::string>& more = {}) {
  std::vector<std::string> line{"--json", "consume", "--kind", "message_posted", "--ack-wait", "2s"};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

/// How often each row appears in the lines of `outputs`, and how many lines are redeliveries.
struct handled_rows {
  std::map<std::string, int> runs;
  int redelivered = 0;

  explicit handled_rows(const std::vector<std::string>& outputs) {
    for (const auto& out : outputs) {
      for (const auto& line : lines(out)) {
        ++runs[json_string(line, "/row_id").value()];
        if (json_int(line, "/attempt") != 1) ++redelivered;
      }
    }
  }
};

bool watches_dead_letters(nats_server& server) {
  return server.monitor("/subsz?subs=1").find("compass.dlq.comms") != std::string::npos;
}

}  // namespace

TEST_CASE("[000-16][000-67] one of two processes is killed in the middle of 10 000 references and every one is handled",
          "[tools]") {
  nats_server server;
  REQUIRE(fabricctl(server, {"provision"}).status == 0);
  process dlq(command_line(server, {"dlq"}));
  REQUIRE(eventually_blocking([&] { return watches_dead_letters(server); }));
  process victim(command_line(server, consume()));
  process survivor(command_line(server, consume()));
  publish(server, references(10'000));
  CHECK(eventually_blocking([&] { return lines(victim.out()).size() > 500 || lines(survivor.out()).size() > 5000; }));
  victim.signal(SIGKILL);
  CHECK(victim.wait() == 128 + SIGKILL);
  CHECK(eventually_blocking([&] { return handled_rows({victim.out(), survivor.out()}).runs.size() == 10'000; }, 60s));
  survivor.signal(SIGTERM);
  CHECK(survivor.wait() == 0);
  const handled_rows all({victim.out(), survivor.out()});
  CHECK(all.runs.size() == 10'000);
  int duplicates = 0;
  for (const auto& [row, runs] : all.runs) duplicates += runs - 1;
  CHECK(duplicates <= all.redelivered);
  CHECK(dlq.out().empty());
}

TEST_CASE("[000-78][000-79] poison runs exactly five times over processes and a restart of the server", "[tools]") {
  nats_server server;
  temp_dir dir;
  const auto log = (dir.path() / "runs").string();
  REQUIRE(fabricctl(server, {"provision"}).status == 0);
  process dlq(command_line(server, {"dlq", "--count", "1"}));
  REQUIRE(eventually_blocking([&] { return watches_dead_letters(server); }));
  // Runs 2 and 4 kill their own process in the middle of the attempt; the server restarts while nobody runs, for a
  // delivery that meets a closing server is spent without a run.
  const std::string script = "echo run >> " + log + "; n=$(wc -l < " + log + ");" +
                             R"( case $n in 2|4) kill -9 $PPID; exec sleep 600;; *) exit 1;; esac)";
  publish(server, references(1, "poison"));
  const auto runs = [&] { return lines(read_file(log)).size(); };
  auto worker = std::make_unique<process>(command_line(server, consume({"--exec", script})));
  bool restarted = false;
  CHECK(eventually_blocking(
      [&] {
        if (!worker->running()) {
          if (!std::exchange(restarted, true)) server.restart();
          worker = std::make_unique<process>(command_line(server, consume({"--exec", script})));
        }
        return !dlq.running();
      },
      60s));
  CHECK(runs() == 5);
  CHECK(restarted);
  CHECK(dlq.wait() == 0);
  CHECK(dlq.out() ==
        "compass.t.comms.message_posted\texit status 1\t" + reference("t", "message_posted", "poison0") + "\n");
}

TEST_CASE("[D18][C060] a process killed in its last attempt leaves one dead letter", "[tools]") {
  nats_server server;
  temp_dir dir;
  const auto log = (dir.path() / "runs").string();
  REQUIRE(fabricctl(server, {"provision"}).status == 0);
  process dlq(command_line(server, {"--json", "dlq"}));
  REQUIRE(eventually_blocking([&] { return watches_dead_letters(server); }));
  publish(server, references(1, "hang"));
  const std::string script = "echo run >> " + log + "; exec sleep 600";
  const auto line = consume({"--max-deliver", "2", "--exec", script});
  const auto runs = [&] { return lines(read_file(log)).size(); };
  {
    process first(command_line(server, line));
    CHECK(eventually_blocking([&] { return runs() == 1; }));
    first.signal(SIGKILL);
  }
  process second(command_line(server, line)), third(command_line(server, line));
  CHECK(eventually_blocking([&] { return runs() == 2; }));
  CHECK(eventually_blocking([&] { return lines(dlq.out()).size() == 1; }, 30s));
  // Both processes live on: a second dead letter would come with the next one.
  publish(server, references(1, "next"));
  CHECK(eventually_blocking([&] { return lines(dlq.out()).size() == 2; }, 40s));
  const auto letters = lines(dlq.out());
  CHECK(letters[0].find("hang0") != std::string::npos);
  CHECK(letters[1].find("next0") != std::string::npos);
  CHECK(runs() == 4);
}
