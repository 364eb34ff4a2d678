// SPDX-License-Identifier: Apache-2.0
#include "proto/server_pool.hpp"

#include <algorithm>

namespace compass_fabric::proto {
namespace {

using std::chrono::milliseconds;

// A link must live this long to prove its server works.
constexpr milliseconds proven{1000};
// Addresses remembered to tell new ones from returning ones.
constexpr std::size_t most_seen = 4 * server_pool::most_announced;

bool is_auth_error(errc e) noexcept { return e == errc::authorization_violation || e == errc::authentication_expired; }

bool same_place(const server_url& a, const server_url& b) noexcept { return a.host == b.host && a.port == b.port; }

milliseconds sum(milliseconds a, milliseconds b) noexcept {
  return a > milliseconds::max() - b ? milliseconds::max() : a + b;
}

/// The next number of a small generator (splitmix64).
std::uint64_t next_random(std::uint64_t& state) noexcept {
  std::uint64_t z = state += 0x9e3779b97f4a7c15U;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  return z ^ z >> 31;
}

}  // namespace

server_pool::server_pool(std::vector<server_url> servers, pool_policy policy) : policy_(policy) {
  replace(std::move(servers), false);
}

std::optional<server_pool::choice> server_pool::next(std::uint32_t random) const {
  if (entries_.empty()) return std::nullopt;
  choice c{entries_.front().url};
  c.passes = passes_;
  c.begins_pass = passes_ > 0 && std::none_of(entries_.begin(), entries_.end(), [](const entry& e) { return e.tried; });
  if (!c.begins_pass) return c;
  c.delay = policy_.initial_delay;
  for (int i = 1; i < passes_ && c.delay < policy_.max_delay; ++i) c.delay = sum(c.delay, c.delay);
  c.delay = std::min(c.delay, policy_.max_delay);
  if (policy_.jitter.count() > 0)
    c.delay = sum(c.delay, milliseconds(random % (static_cast<std::uint64_t>(policy_.jitter.count()) + 1)));
  return c;
}

void server_pool::bring_to_front(std::size_t index) {
  const auto first = entries_.begin();
  const auto chosen = first + static_cast<std::ptrdiff_t>(index);
  std::rotate(first, chosen, chosen + 1);
}

void server_pool::end_pass_if_done() {
  if (!std::all_of(entries_.begin(), entries_.end(), [](const entry& e) { return e.tried; })) return;
  for (auto& e : entries_) e.tried = false;
  ++passes_;
}

void server_pool::choose_front(bool users_first) {
  const auto rank = [&](const entry& e) {
    if (e.shutting) return 3;
    if (e.announced && !e.worked && e.attempts > 0) return 2;
    return users_first && e.announced ? 1 : 0;
  };
  std::size_t best = entries_.size();
  for (std::size_t i = 0; i != entries_.size(); ++i)
    if (!entries_[i].tried && (best == entries_.size() || rank(entries_[i]) < rank(entries_[best]))) best = i;
  if (best != entries_.size()) bring_to_front(best);
}

// The first server has had its turn and goes to the end, or away.
void server_pool::leave_front(bool remove) {
  const bool users_first = entries_.front().announced && !entries_.front().worked;
  std::rotate(entries_.begin(), entries_.begin() + 1, entries_.end());
  if (remove) entries_.pop_back();
  end_pass_if_done();
  choose_front(users_first);
}

void server_pool::failed(errc reason) {
  entry& first = entries_.front();
  const bool final_answer = !policy_.keep_refusing && is_auth_error(reason) && first.auth_error == reason;
  first.auth_error = is_auth_error(reason) ? reason : errc{};
  ++first.attempts;
  first.tried = true;
  leave_front(first.retired || final_answer || used_up(first));
}

void server_pool::connected() {
  entry& first = entries_.front();
  first.auth_error = errc{};
  first.worked = true;
  first.shutting = false;
}

void server_pool::lost(milliseconds lifetime, parting how) {
  entry& first = entries_.front();
  if (lifetime >= proven || how == parting::wished) {
    for (auto& e : entries_) e.tried = false;
    passes_ = 0;
    first.attempts = 0;
  } else {
    first.tried = true;
    if (how == parting::broken) ++first.attempts;
  }
  leave_front(first.retired || used_up(first));
}

bool server_pool::used_up(const entry& e) const noexcept {
  return policy_.max_attempts >= 0 && e.attempts >= policy_.max_attempts;
}

void server_pool::leaving() noexcept {
  if (!entries_.empty()) entries_.front().shutting = true;
}

bool server_pool::is_new(const std::string& authority) {
  if (seen_.size() >= most_seen) seen_.clear();
  return seen_.insert(authority).second;
}

std::vector<std::string> server_pool::merge(const std::vector<std::string>& announced,
                                            const std::function<bool(const std::string&)>& accept) {
  std::vector<std::string> fresh;
  if (announced.empty() || entries_.empty()) return fresh;
  const server_url current = entries_.front().url;
  std::vector<server_url> urls;
  std::unordered_set<std::string> places;
  for (const auto& text : announced) {
    std::string fault;
    auto url = parse_server_url(text, fault, current.scheme);
    if (!url || (accept && !accept(authority(*url))) || !places.insert(authority(*url)).second) continue;
    url->scheme = current.scheme;
    urls.push_back(std::move(*url));
    if (urls.size() == most_announced) break;
  }
  const auto listed = [&](const entry& e) { return places.count(authority(e.url)) != 0; };
  const auto gone =
      std::remove_if(entries_.begin() + 1, entries_.end(), [&](const entry& e) { return e.announced && !listed(e); });
  entries_.erase(gone, entries_.end());
  std::unordered_set<std::string> known;
  for (const auto& e : entries_) known.insert(authority(e.url));
  for (auto& url : urls) {
    if (known.count(authority(url)) != 0) continue;
    if (is_new(authority(url))) fresh.push_back(authority(url));
    url.user = current.user;
    url.password = current.password;
    url.token = current.token;
    if (is_address(url.host)) url.tls_name = is_address(current.host) ? current.tls_name : current.host;
    entries_.push_back({.url = std::move(url), .announced = true});
  }
  return fresh;
}

void server_pool::replace(std::vector<server_url> servers, bool in_use) {
  std::vector<entry> old = std::move(entries_);
  entries_.clear();
  if (in_use && !old.empty()) {
    entries_.push_back(std::move(old.front()));
    entries_.front().retired = true;
    entries_.front().announced = false;
  }
  for (auto& url : servers) {
    const auto known =
        std::find_if(entries_.begin(), entries_.end(), [&](const entry& e) { return same_place(e.url, url); });
    if (known == entries_.end()) {
      is_new(authority(url));
      entries_.push_back({.url = std::move(url)});
    } else if (known->retired) {
      known->retired = false;
      known->url = std::move(url);
    }
  }
  for (auto& e : entries_) e.tried = false;
  passes_ = 0;
}

bool server_pool::prefer(std::string_view wanted) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const entry& e) { return authority(e.url) == wanted; });
  if (found == entries_.end()) return false;
  if (found->tried) {
    for (auto& e : entries_) e.tried = false;
    ++passes_;
  }
  bring_to_front(static_cast<std::size_t>(found - entries_.begin()));
  return true;
}

void server_pool::shuffle(std::uint64_t seed, bool keep_first) {
  for (std::size_t i = entries_.size(); i > (keep_first ? 2U : 1U); --i) {
    const std::size_t first = keep_first ? 1 : 0;
    const std::size_t pick = first + next_random(seed) % (i - first);
    std::swap(entries_[i - 1], entries_[pick]);
  }
}

}  // namespace compass_fabric::proto
