// SPDX-License-Identifier: Apache-2.0
// Plays a scenario again and again and breaks it off at a later step each time, a step being one handler of the
// context.
//
//   scenario s;
//   s.options = [&] { return options_for(proxy.url()); };
//   s.moves = {[](play& p) { return p.connect(); },
//              [](play& p) { return p.connected() && p.start(p.nc.flush(5s)); }};
//   s.reset = [&] { proxy.reset(); };
//   strike_everywhere(s);
//
// The server is a real one, so step n is not always the same point: every n hits some point, and all of them together
// hit them all. After each strike every operation has ended, nothing is called late, nothing waits and nothing leaks.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "fixture.hpp"

namespace compass_fabric::testing {

/// What befalls a connection.
enum class strike {
  destroy_context,       // under living handles
  destroy_handles_only,  // then the context, which has not run again
  close,
  drop,    // the last handle goes
  cancel,  // every operation under way, terminally
  reset,   // every TCP link
};
inline constexpr std::array every_strike{
    strike::destroy_context, strike::destroy_handles_only, strike::close, strike::drop, strike::cancel, strike::reset};

/// What was called back, shared with every callback: each of them holds it, so that its users tell whether one is left.
struct callback_record {
  int connected = 0;
  int reconnected = 0;
  int lame_duck = 0;
  int closed = 0;
  int late = 0;               // called after the end
  bool unsubscribed = false;  // no plain handler may be called any more
  bool over = false;          // nothing at all may be
};

/// One run of a scenario: a context, its handles and the operations started on it.
class play {
 public:
  explicit play(connect_options o) : options_(std::move(o)) {
    options_.on_event = [r = record](const connection_event& e) {
      r->late += r->over || r->closed != 0;
      r->connected += e.kind == event_kind::connected;
      r->reconnected += e.kind == event_kind::reconnected;
      r->lame_duck += e.kind == event_kind::lame_duck;
      r->closed += e.kind == event_kind::closed;
    };
  }
  play(const play&) = delete;
  play& operator=(const play&) = delete;
  ~play() { context.reset(); }

  /// Starts an operation. The scenario is not complete before it has ended, whatever its outcome. Always true.
  template <class T>
  bool start(asio::awaitable<T> work) {
    launch([&](operation& o) { return keep(o, std::move(work), record); }, false);
    return true;
  }
  /// As `start`, for an operation that only the strike ends.
  template <class T>
  bool start_endless(asio::awaitable<T> work) {
    launch([&](operation& o) { return keep(o, std::move(work), record); }, true);
    return true;
  }
  bool connect() {
    launch([&](operation& o) { return keep_connection(o); }, false);
    return true;
  }
  /// `connect` succeeded; it ended, in whatever way.
  bool connected() const { return connected_; }
  bool connect_ended() const { return operations_.empty() || operations_.front().ended; }
  /// The operation started last has ended.
  bool last_ended() const { return operations_.back().ended; }
  bool all_ended(bool endless_too = false) const {
    return std::all_of(operations_.begin(), operations_.end(),
                       [&](const operation& o) { return o.ended || (o.endless && !endless_too); });
  }
  /// Those that have not ended, by number, for a failing test.
  std::string waiting() const {
    std::string text;
    for (std::size_t i = 0; i != operations_.size(); ++i)
      if (!operations_[i].ended) text += std::to_string(i) + ' ';
    return text;
  }

  /// Those that have not begun are let begin first: cancelled before, Asio 1.28 throws out of `run`.
  bool cancel_all() {
    const bool begun = run_until([&] { return std::none_of(operations_.begin(), operations_.end(), waits_to_begin); });
    for (auto& o : operations_)
      if (!o.ended) o.cancel.emit(asio::cancellation_type::terminal);
    return begun && run_until([&] { return all_ended(true); });
  }
  void drop_handles() {
    subscriptions.clear();
    nc = connection();
    dropped = true;
  }
  /// Removes every user of the record but this one and the caller of `record`, if nothing leaks.
  void forget() {
    drop_handles();
    context.reset();
    operations_.clear();
    options_ = connect_options();
  }

  /// Runs handlers until `done()`; false when it is not in time.
  template <class Condition>
  bool run_until(Condition done, milliseconds limit = default_wait) {
    const deadline end(limit);
    while (!done()) {
      if (end.passed() || !run_one(end)) return done();
    }
    return true;
  }
  bool run_one(const deadline& end) {
    context->restart();
    return context->run_one_for(end.left()) != 0;
  }
  bool run_to_idle(milliseconds limit = default_wait) {
    context->restart();
    context->run_for(limit);
    return context->stopped();
  }

  /// A plain handler that counts late calls.
  message_handler handler(message_handler inner = {}) const {
    return [r = record, inner = std::move(inner)](const message_view& m) {
      r->late += r->over || r->unsubscribed || r->closed != 0;
      if (inner) inner(m);
    };
  }

  const std::shared_ptr<callback_record> record = std::make_shared<callback_record>();
  std::optional<asio::io_context> context{std::in_place, 1};
  connection nc;
  std::deque<subscription> subscriptions;
  bool dropped = false;
  std::vector<error_code> outcomes;  // of all operations, as they ended

 private:
  struct operation {
    explicit operation(bool forever) : endless(forever) {}
    asio::cancellation_signal cancel;
    bool endless;
    bool begun = false;
    bool ended = false;
  };

  static bool waits_to_begin(const operation& o) { return !o.begun; }

  template <class T>
  static asio::awaitable<void> keep(operation& o, asio::awaitable<T> work, std::shared_ptr<callback_record> /*alive*/) {
    o.begun = true;
    co_await std::move(work);
  }
  asio::awaitable<void> keep_connection(operation& o) {
    o.begun = true;
    const auto alive = record;
    connection made = co_await compass_fabric::connect(options_);
    nc = std::move(made);
    connected_ = true;
  }
  template <class Make>
  void launch(Make make, bool endless) {
    operation& o = operations_.emplace_back(endless);
    auto work = make(o);
    auto done = [this, &o](std::exception_ptr failure) {
      o.ended = true;
      outcomes.push_back(to_error_code(failure));
    };
    asio::co_spawn(*context, std::move(work), asio::bind_cancellation_slot(o.cancel.slot(), std::move(done)));
  }

  connect_options options_;
  std::deque<operation> operations_;
  bool connected_ = false;
};

/// What is played. Moves are made between two handlers, one after the other, each tried until it returns true.
struct scenario {
  std::function<connect_options()> options;
  std::vector<std::function<bool(play&)>> moves;
  /// Resets every link.
  std::function<void()> reset;
  /// Undoes what the moves did to the network; called after each strike.
  std::function<void()> calm = [] {};
  /// False: there is nobody to connect to, and the scenario goes on for ever.
  bool connects = true;
  /// Every so many steps are struck.
  std::size_t stride = 1;
  /// Where to stop at the latest; a scenario that connects must be complete before.
  std::size_t most_steps = 600;
};

namespace every_step_detail {

// False when the scenario was complete before step `n`.
inline bool play_until(play& p, const scenario& s, std::size_t n) {
  const deadline end(default_wait);
  std::size_t next = 0;
  for (std::size_t step = 0;; ++step) {
    while (next != s.moves.size() && s.moves[next](p)) ++next;
    if (step == n) return true;
    if (next == s.moves.size() && p.all_ended()) return false;
    CAPTURE(step, next, p.waiting());
    REQUIRE(p.run_one(end));
  }
}

// The connection works, or is closed.
inline asio::awaitable<void> probe(connection nc, error_code& outcome) {
  do {
    outcome = co_await code_of(nc.flush(5s));
  } while (outcome == errc::connection_lost);
}

inline void check_usable(play& p) {
  for (auto& s : p.subscriptions) s.unsubscribe();
  error_code outcome = errc::timeout;
  p.start(probe(p.nc, outcome));
  REQUIRE(p.run_until([&] { return p.last_ended(); }));
  CAPTURE(outcome.message());
  const bool usable_or_closed = !outcome || outcome == errc::connection_closed;
  CHECK(usable_or_closed);
}

// What a handle can still be asked for once its context is gone.
inline void use_dead_handles(play& p) {
  if (!p.connected() || p.dropped) return;
  CHECK(p.nc.state() == connection_state::closed);
  CHECK(p.nc.try_publish("x", "y") == errc::connection_closed);
  for (auto& s : p.subscriptions) {
    s.unsubscribe();
    CHECK_FALSE(s.active());
  }
  p.nc.close();
}

inline void destroy(play& p, bool handles_first) {
  if (handles_first) p.drop_handles();
  p.record->over = true;
  p.context.reset();
  use_dead_handles(p);
}

inline void end(play& p, const scenario& s, strike what) {
  if (what == strike::cancel) {
    const bool all_ended = p.cancel_all();
    CAPTURE(p.waiting());
    REQUIRE(all_ended);
  }
  if (what == strike::reset) s.reset();
  s.calm();
  if (s.connects) REQUIRE(p.run_until([&] { return p.connect_ended(); }));
  if (p.connected() && (what == strike::cancel || what == strike::reset)) check_usable(p);
  if (p.connected() && what != strike::drop) {
    p.nc.close();
    p.record->unsubscribed = true;
  }
  if (what == strike::drop) p.drop_handles();
  const bool over = p.run_until([&] { return p.all_ended(true) && (!p.connected() || p.record->closed != 0); });
  CAPTURE(p.waiting(), p.record->closed);
  REQUIRE(over);
  const bool idle = p.run_to_idle();
  CHECK(idle);
  p.record->over = true;
  CHECK(p.record->closed <= 1);
  use_dead_handles(p);
}

}  // namespace every_step_detail

/// Plays `s` with a strike after each step and checks what is left; returns the number of steps.
inline std::size_t strike_at_every_step(const scenario& s, strike what) {
  namespace detail = every_step_detail;
  for (std::size_t n = 0; n < s.most_steps; n += s.stride) {
    CAPTURE(n, static_cast<int>(what));
    play p(s.options());
    const bool struck = detail::play_until(p, s, n);
    if (what == strike::destroy_context || what == strike::destroy_handles_only) {
      detail::destroy(p, what == strike::destroy_handles_only);
      s.calm();
    } else {
      detail::end(p, s, what);
    }
    const auto record = p.record;
    p.forget();
    CHECK(record->late == 0);
    CHECK(record.use_count() == 2);  // this one and the play's own: no frame and no callback is left
    if (!struck) return n;
  }
  REQUIRE_FALSE(s.connects);
  return s.most_steps;
}

}  // namespace compass_fabric::testing
