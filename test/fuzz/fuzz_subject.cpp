// SPDX-License-Identifier: Apache-2.0
// The input is two texts split at the first NUL, once as filters and once as filter and subject.
#include "proto/subject.hpp"
#include "require.hpp"

using namespace compass_fabric::proto;
using compass_fabric::testing::require;

namespace {

void check_validation(std::string_view text) {
  require(valid_publish_subject(text) == subject_fault(text).empty());
  require(valid_filter(text) == filter_fault(text).empty());
  require(valid_queue_name(text) == queue_name_fault(text).empty());
  require(valid_token(text) == token_fault(text).empty());
  if (valid_token(text)) require(valid_publish_subject(text));
  if (valid_publish_subject(text)) require(valid_filter(text) && matches(text, text));
  if (valid_filter(text)) require(valid_queue_name(text) && covers(text, text) && overlaps(text, text));
}

void check_relations(std::string_view left, std::string_view right) {
  require(overlaps(left, right) == overlaps(right, left));
  if (!valid_filter(left) || !valid_filter(right)) return;
  if (covers(left, right)) require(overlaps(left, right));
  if (covers(left, right) && covers(right, left)) require(left == right);
  if (valid_publish_subject(right)) {
    require(matches(left, right) == covers(left, right));
    require(matches(left, right) == overlaps(left, right));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = compass_fabric::testing::as_text(data, size);
  check_validation(text);
  const auto middle = text.find('\0');
  if (middle == std::string_view::npos) return 0;
  const auto left = text.substr(0, middle);
  const auto right = text.substr(middle + 1);
  check_validation(left);
  check_validation(right);
  check_relations(left, right);
  matches(left, right);
  return 0;
}
