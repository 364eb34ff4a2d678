// SPDX-License-Identifier: Apache-2.0
#include "jetstream/time_text.hpp"

#include <fmt/format.h>

#include <charconv>

namespace compass_fabric::jetstream {

namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

/// Takes fixed pieces off the front of a text; once one does not fit, `ok` stays false.
class cursor {
 public:
  explicit cursor(std::string_view text) noexcept : rest_(text) {}

  int number(std::size_t digits) noexcept {
    int value = 0;
    const auto* end = rest_.data() + (rest_.size() < digits ? rest_.size() : digits);
    const auto [stop, error] = std::from_chars(rest_.data(), end, value);
    if (rest_.size() < digits || error != std::errc() || stop != end || value < 0) return fail();
    rest_.remove_prefix(digits);
    return value;
  }
  void expect(char c) noexcept {
    if (!accept(c)) fail();
  }
  bool accept(char c) noexcept {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// One to nine digits as nanoseconds.
  nanoseconds fraction() noexcept {
    std::int64_t value = 0;
    std::int64_t unit = 1'000'000'000;
    while (unit > 1 && !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      unit /= 10;
      value += (rest_.front() - '0') * unit;
      rest_.remove_prefix(1);
    }
    if (unit == 1'000'000'000) fail();
    return nanoseconds(value);
  }
  bool ok() const noexcept { return ok_; }
  bool at_end() const noexcept { return rest_.empty(); }

 private:
  int fail() noexcept {
    ok_ = false;
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

seconds zone(cursor& at) noexcept {
  if (at.accept('Z') || at.accept('z')) return {};
  const bool ahead = at.accept('+');
  if (!ahead) at.expect('-');
  const std::chrono::hours hours(at.number(2));
  at.expect(':');
  const std::chrono::minutes minutes(at.number(2));
  return ahead ? seconds(hours + minutes) : -seconds(hours + minutes);
}

std::optional<timestamp> combine(std::chrono::sys_seconds whole, nanoseconds fraction) noexcept {
  // One second of room at each end, so that the sum below cannot overflow.
  constexpr auto least = std::chrono::ceil<seconds>(timestamp::min()) + seconds(1);
  constexpr auto most = std::chrono::floor<seconds>(timestamp::max()) - seconds(1);
  if (whole < least || whole > most) return std::nullopt;
  return timestamp(whole) + fraction;
}

}  // namespace

parsed_time parse_time(std::string_view text) noexcept {
  cursor at(text);
  const std::chrono::year year(at.number(4));
  at.expect('-');
  const std::chrono::month month(static_cast<unsigned>(at.number(2)));
  at.expect('-');
  const std::chrono::day day(static_cast<unsigned>(at.number(2)));
  if (!at.accept('T')) at.expect('t');
  const std::chrono::hours hour(at.number(2));
  at.expect(':');
  const std::chrono::minutes minute(at.number(2));
  at.expect(':');
  const seconds second(at.number(2));
  const auto fraction = at.accept('.') ? at.fraction() : nanoseconds();
  const auto offset = zone(at);
  const std::chrono::year_month_day date(year, month, day);
  if (!at.ok() || !at.at_end() || !date.ok()) return {};
  if (hour.count() > 23 || minute.count() > 59 || second.count() > 60) return {};
  return {true, combine(std::chrono::sys_days(date) + hour + minute + second - offset, fraction)};
}

std::string format_time(timestamp time) {
  const auto whole = std::chrono::floor<seconds>(time);
  const auto midnight = std::chrono::floor<std::chrono::days>(whole);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss clock(whole - midnight);
  auto text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", int(date.year()), unsigned(date.month()), unsigned(date.day()),
                  clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  if (const auto fraction = (time - whole).count(); fraction != 0) {
    text += fmt::format(".{:09}", fraction);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text + "Z";
}

}  // namespace compass_fabric::jetstream
