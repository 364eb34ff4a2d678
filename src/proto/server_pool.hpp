// SPDX-License-Identifier: Apache-2.0
// Which server to try next, after which pause, and when to give up.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <compass_fabric/errc.hpp>

#include "proto/server_url.hpp"

namespace compass_fabric::proto {

struct pool_policy {
  /// Failed attempts in a row after which a server leaves the pool; negative = never.
  int max_attempts = -1;
  /// Pause after a full pass over the pool; doubles with each pass up to `max_delay`.
  std::chrono::milliseconds initial_delay{100};
  std::chrono::milliseconds max_delay{2000};
  /// Upper bound of the random time added to each pause.
  std::chrono::milliseconds jitter{100};
  /// A server that refuses the credentials twice in the same way stays all the same.
  bool keep_refusing = false;
};

/// The servers in the order they will be tried. The one in use or being tried is the first.
class server_pool {
 public:
  struct choice {
    server_url server;
    std::chrono::milliseconds delay{0};
  };

  server_pool(std::vector<server_url> servers, pool_policy policy);

  /// The next server to try; nothing when the pool is empty. `random` spreads the pause.
  std::optional<choice> next(std::uint32_t random) const;
  /// The first server failed. The same authentication error twice in a row from one server is final: it leaves the
  /// pool.
  void failed(errc reason);
  /// The first server accepted the connection.
  void connected();
  /// The link to the first server was lost after `lifetime`. One that hardly lived counts as a failed attempt for the
  /// pause, or a server that accepts and drops would be hammered.
  void lost(std::chrono::milliseconds lifetime);

  /// Merges the addresses a server announced and returns those the pool did not hold. Announced servers that are no
  /// longer in a non-empty list leave; servers given by the user stay.
  std::vector<std::string> merge(const std::vector<std::string>& announced);

  /// True when every server has been tried since the last success.
  bool pass_complete() const noexcept { return passes_ > 0; }
  std::size_t size() const noexcept { return entries_.size(); }

 private:
  struct entry {
    server_url url;
    bool announced = false;
    int attempts = 0;
    errc auth_error{};
  };

  void advance();

  std::vector<entry> entries_;
  pool_policy policy_;
  std::size_t tried_ = 0;  // in the current pass
  int passes_ = 0;         // without success
};

}  // namespace compass_fabric::proto
