// SPDX-License-Identifier: Apache-2.0
#include "testing/process.hpp"

#include <compass_fabric/testing/eventually.hpp>

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <stdexcept>

using namespace compass_fabric::testing;

TEST_CASE("a program's status, output and errors are kept", "[support]") {
  const auto result = run_process({"sh", "-c", "echo out; echo err >&2; exit 3"});
  CHECK(result.status == 3);
  CHECK(result.out == "out\n");
  CHECK(result.err == "err\n");
}

TEST_CASE("a program gets its input and environment", "[support]") {
  process_options options;
  options.input = "first\nsecond\n";
  options.env = {"CF_WORD=hello"};
  CHECK(run_process({"sh", "-c", "cat; printf %s \"$CF_WORD\""}, options).out == "first\nsecond\nhello");
}

TEST_CASE("a program is fed while it runs", "[support]") {
  process_options options;
  options.open_input = true;
  process cat({"cat"}, options);
  cat.write("one\n");
  CHECK(eventually_blocking([&] { return cat.out() == "one\n"; }));
  CHECK(cat.running());
  cat.close_input();
  CHECK(cat.wait() == 0);
}

TEST_CASE("a killed program reports the signal", "[support]") {
  process sleeper({"sleep", "1000"});
  CHECK(sleeper.wait(milliseconds{1}) == std::nullopt);
  sleeper.signal(SIGKILL);
  CHECK(sleeper.wait() == 128 + SIGKILL);
}

TEST_CASE("a program that does not end in time is an error", "[support]") {
  CHECK_THROWS_AS(run_process({"sleep", "1000"}, {}, milliseconds{20}), std::runtime_error);
}

TEST_CASE("a program that does not exist ends with 127", "[support]") {
  CHECK(run_process({"no-such-program-of-compass-fabric"}).status == 127);
}
