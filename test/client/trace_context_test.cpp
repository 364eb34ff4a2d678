// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/error.hpp>
#include <compass_fabric/trace_context.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace compass_fabric;

namespace {

const std::string example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

}  // namespace

TEST_CASE("a traceparent is read and written back", "[client][row101]") {
  const auto context = parse_traceparent(example);
  REQUIRE(context);
  CHECK(context->valid());
  CHECK(context->sampled());
  CHECK(context->trace_id[0] == std::byte{0x4b});
  CHECK(context->span_id[7] == std::byte{0xb7});
  CHECK(to_traceparent(*context) == example);
}

TEST_CASE("what is no traceparent is not read", "[client][row101]") {
  const char* const bad[] = {"",
                             "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
                             "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                             "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                             "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                             "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                             "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                             "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                             "00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01",
                             "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7_01",
                             "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
                             "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902bg-01",
                             "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
                             "g0-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                             "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.more"};
  for (const auto* text : bad) {
    CAPTURE(text);
    CHECK_FALSE(parse_traceparent(text));
  }
  CHECK(parse_traceparent("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later"));
}

TEST_CASE("injecting replaces, extracting finds in any case", "[client][row96][row101]") {
  auto context = parse_traceparent(example);
  context->state = "a=1,b=2";
  headers fields;
  fields.add("traceparent", "old").add("tracestate", "old").add("traceparent", "older").add("Other", "x");
  inject(*context, fields);
  CHECK(fields.get_all("traceparent").size() == 1);
  CHECK(fields.get("traceparent") == example);
  CHECK(fields.get("tracestate") == "a=1,b=2");
  const headers_view upper(
      "NATS/1.0\r\nTRACEPARENT: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n"
      "TraceState: a=1,b=2\r\n\r\n");
  CHECK(extract(upper) == context);
  inject(trace_context{}, fields);
  CHECK(fields.size() == 1);
  CHECK_FALSE(extract(headers_view()));
  CHECK_FALSE(extract(headers_view("NATS/1.0\r\ntraceparent: rubbish\r\n\r\n")));
  context->state = "bad\r\nstate";
  CHECK_THROWS_AS(inject(*context, fields), system_error);
}
