// SPDX-License-Identifier: Apache-2.0
// Which server to try next, after which pause, and when to give up.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
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
///
/// In a pass each server is tried once, in a ring, with two exceptions: an announced server that failed and never
/// worked from here, and one that announced its shutdown, wait until the others were tried; and after an announced
/// server that never worked failed, the user's servers come first. So announced addresses that cannot be reached from
/// here cost one attempt each, not one for every loss.
class server_pool {
 public:
  static constexpr std::size_t most_announced = 1000;

  struct choice {
    server_url server;
    std::chrono::milliseconds delay{0};
    /// The first of a pass after `passes` without success: the place for a pause.
    bool begins_pass = false;
    int passes = 0;
  };
  /// One server, as its owner may see it.
  struct member {
    const server_url& url;
    bool announced;
    int attempts;
  };

  server_pool(std::vector<server_url> servers, pool_policy policy);

  /// The next server to try; nothing when the pool is empty. `random` spreads the pause.
  std::optional<choice> next(std::uint32_t random) const;
  /// The first server failed. The same authentication error twice in a row from one server is final: it leaves the
  /// pool.
  void failed(errc reason);
  /// The first server accepted the connection.
  void connected();
  /// How a link came to its end: by itself, by the user's wish, or by moving away from a server that shuts down.
  enum class parting { broken, wished, moved };
  /// The link to the first server ended after `lifetime`. One that broke when it had hardly lived counts as a failed
  /// attempt, or a server that accepts and drops would be hammered. One that shuts down has had its turn in this pass.
  void lost(std::chrono::milliseconds lifetime, parting how = parting::broken);
  /// The first server announced its shutdown: it is tried last until it works again.
  void leaving() noexcept;

  /// Merges the addresses a server announced, those that `accept` (empty: all) takes, and returns the ones never seen
  /// before. Announced servers that are no longer in a non-empty list leave; servers given by the user stay. All are
  /// reached as the first server is, whatever scheme the list names: it may come over the wire unprotected. Beyond the
  /// first `most_announced` the list is ignored.
  std::vector<std::string> merge(const std::vector<std::string>& announced,
                                 const std::function<bool(const std::string&)>& accept = {});
  /// Replaces all servers, announced ones too; a new round of attempts begins. The first one, when `in_use`, stays the
  /// first until it is lost; then it leaves unless it is among the new ones.
  void replace(std::vector<server_url> servers, bool in_use);
  /// Makes the server with this `host:port` the next one. Trying it a second time in a pass begins the next pass.
  /// False when the pool does not hold it.
  bool prefer(std::string_view authority);
  /// Puts the servers behind the first, or all, in an order that `seed` decides.
  void shuffle(std::uint64_t seed, bool keep_first);

  /// True when every server has been tried since the last success.
  bool pass_complete() const noexcept { return passes_ > 0; }
  std::size_t size() const noexcept { return entries_.size(); }
  member at(std::size_t index) const {
    return {entries_[index].url, entries_[index].announced, entries_[index].attempts};
  }

 private:
  struct entry {
    server_url url;
    bool announced = false;
    bool worked = false;    // it accepted a connection
    bool tried = false;     // in the current pass
    bool retired = false;   // the user replaced it while it was in use
    bool shutting = false;  // it announced its shutdown
    int attempts = 0;
    errc auth_error{};
  };

  void leave_front(bool remove);
  void end_pass_if_done();
  void choose_front(bool users_first);
  void bring_to_front(std::size_t index);
  bool is_new(const std::string& authority);
  bool used_up(const entry& e) const noexcept;

  std::vector<entry> entries_;
  pool_policy policy_;
  int passes_ = 0;  // without success
  std::unordered_set<std::string> seen_;
};

}  // namespace compass_fabric::proto
