// SPDX-License-Identifier: Apache-2.0
// Tells a handle whether the coroutine it would end still exists, without touching an executor that may be gone.
#pragma once

#include <memory>

namespace compass_fabric::jetstream {

/// Owned by the frame of a coroutine: passed to it by value, it goes when the coroutine ends or its context does.
using life = std::shared_ptr<void>;

/// What the handle's side keeps. Threads: `over` may be asked anywhere.
class life_mark {
 public:
  /// The life to pass to the coroutine. Called once.
  life begin() {
    auto whole = std::make_shared<char>();
    watched_ = whole;
    return whole;
  }
  bool over() const noexcept { return watched_.expired(); }

 private:
  std::weak_ptr<void> watched_;
};

}  // namespace compass_fabric::jetstream
