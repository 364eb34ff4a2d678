// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/fabric/fabric_event.hpp>

#include <boost/asio/awaitable.hpp>

#include <catch2/catch_test_macros.hpp>

#include <concepts>

#include <compass_fabric/fabric/error.hpp>
#include <compass_fabric/fabric/event.hpp>

using namespace compass_fabric::fabric;

// A coroutine would never run where a plain function is called.
static_assert(std::constructible_from<fabric_event_handler, void (*)(const fabric_event&)>);
static_assert(!std::constructible_from<fabric_event_handler, boost::asio::awaitable<void> (*)(const fabric_event&)>);

TEST_CASE("a fabric event is one line with what it names", "[fabric]") {
  CHECK(to_string(fabric_event{.kind = fabric_event_kind::resumed}) == "resumed");
  CHECK(to_string(fabric_event{
            .kind = fabric_event_kind::parked, .subject = "s", .sequence = 7, .attempt = 5, .text = "boom"}) ==
        "parked s seq 7 attempt 5: boom");
  CHECK(to_string(fabric_event{
            .kind = fabric_event_kind::stuck, .subject = "s", .error = errc::topology_mismatch, .count = 3}) ==
        "stuck s count 3: stream or consumer differs from the declared topology");
}

TEST_CASE("a handler knows its form: a plain function or a coroutine", "[fabric]") {
  const handler plain = [](const event&) {};
  const handler awaiting = [](const event&) -> boost::asio::awaitable<void> { co_return; };
  CHECK(plain.as_plain());
  CHECK(!plain.as_awaiting());
  CHECK(awaiting.as_awaiting());
  CHECK(!awaiting.as_plain());
}

TEST_CASE("fabric errors have a category of their own and texts", "[fabric]") {
  const compass_fabric::error_code code = errc::reserved_token;
  CHECK(std::string(code.category().name()) == "compass_fabric.fabric");
  CHECK(code.message() == "reserved subject token");
}
