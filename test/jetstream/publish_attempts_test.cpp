// SPDX-License-Identifier: Apache-2.0
#include "jetstream/publish_attempts.hpp"

#include <chrono>

#include <catch2/catch_test_macros.hpp>

namespace js = compass_fabric::jetstream;
using namespace std::chrono_literals;

namespace {

const js::publish_attempts::time_point start{1000s};

js::publish_attempts attempts(bool has_id) {
  js::publish_retry retry;
  retry.ack_timeout = 1s;
  retry.budget = 5s;
  retry.initial_delay = 100ms;
  retry.max_delay = 400ms;
  return {retry, has_id, start};
}

}  // namespace

TEST_CASE("[C042] an unseen ack is retried with an id and unknown at once without one", "[jetstream]") {
  auto without = attempts(false);
  CHECK(without.no_ack(start + 1s).error == js::errc::ack_unknown);
  auto with = attempts(true);
  const auto decision = with.no_ack(start + 1s);
  CHECK(decision.again());
  CHECK(decision.retry_at == start + 1100ms);
}

TEST_CASE("[C043] nobody answering is retried with growing pauses inside one budget", "[jetstream]") {
  auto a = attempts(false);
  auto now = start;
  for (const auto pause : {100ms, 200ms, 400ms, 400ms}) {
    const auto decision = a.no_stream(now);
    CHECK(decision.again());
    CHECK(decision.retry_at == now + pause);
    now = decision.retry_at;
  }
  CHECK(a.no_stream(start + 4599ms).again());
  CHECK(a.no_stream(start + 4600ms).error == js::errc::no_stream_response);
}

TEST_CASE("once an ack was not seen, running out of budget is unknown, not refused", "[jetstream]") {
  auto a = attempts(true);
  CHECK(a.no_ack(start + 1s).again());
  CHECK(a.no_stream(start + 5s).error == js::errc::ack_unknown);
  CHECK(a.refused(js::code::too_many_requests, js::errc::stream_full, start + 5s).error == js::errc::ack_unknown);
  CHECK(a.no_ack(start + 5s).error == js::errc::ack_unknown);
}

TEST_CASE("only a refusal that may pass is retried", "[jetstream]") {
  for (const int err_code :
       {js::code::system_unavailable, js::code::insufficient_resources, js::code::sequence_mismatch,
        js::code::duplicate_in_process, js::code::subject_sequence_not_ready, js::code::too_many_requests}) {
    auto a = attempts(false);
    CHECK(a.refused(err_code, js::errc::refused, start).again());
    CHECK(a.refused(err_code, js::errc::refused, start + 5s).error == js::errc::refused);
  }
  for (const int err_code : {js::code::wrong_last_sequence, js::code::stream_mismatch, js::code::store_failed, 0}) {
    auto a = attempts(true);
    CHECK(a.refused(err_code, js::errc::wrong_last_sequence, start).error == js::errc::wrong_last_sequence);
  }
}

TEST_CASE("an attempt never waits longer than the budget, nor not at all", "[jetstream]") {
  const auto a = attempts(true);
  CHECK(a.ack_wait(start) == 1s);
  CHECK(a.ack_wait(start + 4500ms) == 500ms);
  CHECK(a.ack_wait(start + 5s) == 1ms);
  CHECK(a.ack_wait(start + 9s) == 1ms);
}

TEST_CASE("[C086] retry options without a limit do not overflow", "[jetstream]") {
  using std::chrono::milliseconds;
  js::publish_retry retry;
  retry.ack_timeout = milliseconds::max();
  retry.budget = milliseconds::max();
  retry.max_delay = milliseconds::max();
  js::publish_attempts patient(retry, true, start);
  CHECK(patient.ack_wait(start) > milliseconds(24h * 365));
  for (int i = 0; i != 30; ++i) {
    const auto decision = patient.no_ack(start + 1s);
    CHECK(decision.again());
    CHECK(decision.retry_at > start);
  }
  retry.initial_delay = milliseconds::max();
  js::publish_attempts once(retry, true, start);
  for (int i = 0; i != 2; ++i) CHECK(once.no_ack(start).error == js::errc::ack_unknown);
}
