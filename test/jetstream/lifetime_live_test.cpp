// SPDX-License-Identifier: Apache-2.0
// Handles that outlive what they stand on, and operations that outlive their handles.
#include <optional>
#include <type_traits>
#include <utility>

#include <boost/asio/io_context.hpp>

#include <catch2/catch_test_macros.hpp>

#include "jetstream/live.hpp"

namespace asio = boost::asio;
namespace cf = compass_fabric;
namespace js = compass_fabric::jetstream;
using namespace compass_fabric::testing;

namespace {

/// A program whose handles are destroyed after its io_context.
struct program {
  std::optional<js::message_stream> flow;
  std::optional<js::publisher> out;
  std::optional<asio::io_context> io{std::in_place, 1};
};

}  // namespace

TEST_CASE("[C065] a flow and a publisher may outlive the context", "[jetstream][live]") {
  nats_server server;
  program p;
  auto work = [&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 3);
    p.flow.emplace(context.consumer("ORDERS", "BILLING").consume());
    p.out.emplace(context, js::publisher_options(), js::publish_outcome_handler());
    co_await until([&] { return p.flow->buffered() == 3; });
  };
  run_on(*p.io, work());
  p.io.reset();
  CHECK(p.flow->buffered() == 3);
  p.flow.reset();
  p.out.reset();
}

TEST_CASE("[C065] a flow and a publisher may outlive a context that never ran them", "[jetstream][live]") {
  nats_server server;
  program p;
  auto work = [&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    p.flow.emplace(context.consumer("ORDERS", "BILLING").consume());
    p.out.emplace(context, js::publisher_options(), js::publish_outcome_handler());
  };
  run_on(*p.io, work());
  p.io.reset();
  p.flow.reset();
  p.out.reset();
}
