// SPDX-License-Identifier: Apache-2.0
#include "proto/server_pool.hpp"

#include <algorithm>

namespace compass_fabric::proto {
namespace {

using std::chrono::milliseconds;

// A link must live this long to prove its server works.
constexpr milliseconds proven{1000};

bool is_auth_error(errc e) noexcept { return e == errc::authorization_violation || e == errc::authentication_expired; }

bool same_place(const server_url& a, const server_url& b) noexcept { return a.host == b.host && a.port == b.port; }

}  // namespace

server_pool::server_pool(std::vector<server_url> servers, pool_policy policy) : policy_(policy) {
  for (auto& url : servers) {
    const auto known = [&](const entry& e) { return same_place(e.url, url); };
    if (std::none_of(entries_.begin(), entries_.end(), known)) entries_.push_back({std::move(url)});
  }
}

std::optional<server_pool::choice> server_pool::next(std::uint32_t random) const {
  if (entries_.empty()) return std::nullopt;
  choice c{entries_.front().url};
  if (passes_ == 0 || tried_ != 0) return c;
  c.delay = policy_.initial_delay;
  for (int i = 1; i < passes_ && c.delay < policy_.max_delay; ++i) c.delay *= 2;
  c.delay = std::min(c.delay, policy_.max_delay);
  if (policy_.jitter.count() > 0)
    c.delay += milliseconds(random % static_cast<std::uint64_t>(policy_.jitter.count() + 1));
  return c;
}

void server_pool::advance() {
  std::rotate(entries_.begin(), entries_.begin() + 1, entries_.end());
  if (++tried_ < entries_.size()) return;
  tried_ = 0;
  ++passes_;
}

void server_pool::failed(errc reason) {
  entry& first = entries_.front();
  const bool final_answer = !policy_.keep_refusing && is_auth_error(reason) && first.auth_error == reason;
  first.auth_error = is_auth_error(reason) ? reason : errc{};
  ++first.attempts;
  if (!final_answer && (policy_.max_attempts < 0 || first.attempts < policy_.max_attempts)) {
    advance();
    return;
  }
  entries_.erase(entries_.begin());
  if (tried_ >= entries_.size()) {
    tried_ = 0;
    ++passes_;
  }
}

void server_pool::connected() {
  entries_.front().attempts = 0;
  entries_.front().auth_error = errc{};
}

void server_pool::lost(milliseconds lifetime) {
  if (lifetime >= proven) {
    tried_ = 0;
    passes_ = 0;
    std::rotate(entries_.begin(), entries_.begin() + 1, entries_.end());
  } else {
    advance();
  }
}

std::vector<std::string> server_pool::merge(const std::vector<std::string>& announced) {
  std::vector<std::string> fresh;
  if (announced.empty() || entries_.empty()) return fresh;
  std::vector<server_url> urls;
  for (const auto& text : announced) {
    std::string fault;
    if (auto url = parse_server_url(text, fault, entries_.front().url.scheme)) urls.push_back(std::move(*url));
  }
  const auto listed = [&](const entry& e) {
    return std::any_of(urls.begin(), urls.end(), [&](const server_url& u) { return same_place(u, e.url); });
  };
  const auto gone =
      std::remove_if(entries_.begin() + 1, entries_.end(), [&](const entry& e) { return e.announced && !listed(e); });
  entries_.erase(gone, entries_.end());
  const server_url current = entries_.front().url;
  for (auto& url : urls) {
    if (std::any_of(entries_.begin(), entries_.end(), [&](const entry& e) { return same_place(e.url, url); })) continue;
    fresh.push_back(authority(url));
    url.user = current.user;
    url.password = current.password;
    url.token = current.token;
    entries_.push_back({std::move(url), true});
  }
  return fresh;
}

}  // namespace compass_fabric::proto
