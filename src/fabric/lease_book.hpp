// SPDX-License-Identifier: Apache-2.0
// The leases of one subscription: every delivered event is ours until the server's ack wait ends, unless it is renewed.
// Pure; the delivery loop feeds it times and carries out what `tick` returns.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace compass_fabric::fabric {

/// Which deliveries to renew, cancel or hand back, so that events that wait behind a slow but healthy handler are not
/// delivered again, and those behind a stuck one do not wait for it.
class lease_book {
 public:
  using clock = std::chrono::steady_clock;
  using id = std::uint64_t;

  struct limits {
    std::chrono::milliseconds ack_wait;
    /// How long a running handler's lease is renewed; zero = never, a handler longer than the ack wait is a hang.
    std::chrono::milliseconds progress_cap{0};
    /// Handlers that may run at once.
    std::size_t slots = 1;
  };

  enum class step {
    /// Tell the server that work goes on.
    renew,
    /// Give it back: it waits behind handlers that are stuck.
    hand_back,
    /// Its handler outlived the lease; the server gives the event away, so cancel it.
    cancel,
  };
  struct action {
    id delivery;
    step what;
  };

  explicit lease_book(limits l) : limits_(l) {}

  /// A delivery arrived and waits for a handler; `clock::time_point` arguments never go back.
  void add(id delivery, clock::time_point now);
  /// Its handler runs from now.
  void run(id delivery, clock::time_point now);
  /// Its handler reported a transient failure; it is kept until `run` or `remove`.
  void hold(id delivery);
  /// It was answered or given up.
  void remove(id delivery);

  /// True when the server may have given the delivery away, with a margin for the time a delivery and an answer travel.
  bool lapsed(id delivery, clock::time_point now) const;
  /// Deliveries that are still ours: those whose lease has not lapsed.
  std::size_t held_leases(clock::time_point now) const;
  /// True when every slot holds a handler that was cancelled and still runs: nothing that waits would be reached.
  bool stuck() const;
  /// What is due. A renewed delivery counts as renewed at `now`; one to hand back is removed; one is cancelled once.
  std::vector<action> tick(clock::time_point now);
  /// How often to call `tick`.
  std::chrono::milliseconds interval() const { return std::max(limits_.ack_wait / 6, std::chrono::milliseconds(1)); }

 private:
  enum class state { waiting, running, held };
  struct lease {
    state where;
    clock::time_point renewed;
    clock::time_point started;
    bool cancelled = false;
  };

  bool renewable(const lease& l, clock::time_point now) const;
  bool lapsed(const lease& l, clock::time_point now) const;

  limits limits_;
  std::map<id, lease> leases_;
};

}  // namespace compass_fabric::fabric
