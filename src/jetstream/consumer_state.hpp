// SPDX-License-Identifier: Apache-2.0
// What handles of one consumer share.
#pragma once

#include <string>
#include <string_view>

#include <compass_fabric/jetstream/consumer.hpp>
#include <compass_fabric/jetstream/context.hpp>

namespace compass_fabric::jetstream {

class consumer_state {
 public:
  consumer_state(const context& owner, const connection& nc, std::string_view next_verb, std::string_view stream_name,
                 std::string_view consumer_name);

  const context js;
  const connection link;
  const std::string stream;
  const std::string name;
  /// Where pulls go.
  const std::string pull_subject;
};

}  // namespace compass_fabric::jetstream
