// SPDX-License-Identifier: Apache-2.0
// The first 8 bytes are chunk sizes, used in turn; the rest is the stream. Cut like that it gives the same frames and
// the same error as in one piece.
#include "../support/frame_recorder.hpp"
#include "require.hpp"

using compass_fabric::testing::frame_recorder;
using compass_fabric::testing::require;

namespace {

constexpr std::size_t chunk_count = 8;

// Small enough for the fuzzer to pass them.
constexpr compass_fabric::proto::parser_limits limits{.line = 200, .message = 1000};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < chunk_count) return 0;
  const auto stream = compass_fabric::testing::as_text(data, size).substr(chunk_count);
  const frame_recorder whole(stream, limits);
  frame_recorder pieces(limits);
  std::size_t turn = 0;
  for (auto rest = stream; !rest.empty();) {
    const auto piece = rest.substr(0, std::size_t{data[turn++ % chunk_count]} + 1);
    pieces.feed(piece);
    rest.remove_prefix(piece.size());
  }
  require(pieces == whole);
  require(pieces.needed() == whole.needed());
  require(whole.error() != compass_fabric::proto::parse_error::none || whole.needed() != 0 ||
          whole.unconsumed() <= limits.line);
  for (const auto& f : whole.frames()) {
    require(f.header_block.size() + f.payload.size() <= limits.message);
    require(f.subject.empty() == (f.kind != compass_fabric::proto::frame_kind::msg));
  }
  return 0;
}
