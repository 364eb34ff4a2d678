// SPDX-License-Identifier: Apache-2.0
// How streams and consumers are made as wanted, against others who do the same.
#pragma once

#include "jetstream/config_json.hpp"

#include <optional>
#include <utility>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/jetstream/config.hpp>
#include <compass_fabric/jetstream/error.hpp>

namespace compass_fabric::jetstream {

/// Creates what `find` does not find, which it tells by the error `missing`, or updates what differs from `wanted`.
/// Lifetime: `wanted` and what the functions refer to must live until it completes.
template <class Info, class Config, class Find, class Create, class Update>
boost::asio::awaitable<Info> converge(const Config& wanted, errc missing, Find find, Create create, Update update) {
  constexpr int max_rounds = 5;
  for (int round = 1;; ++round) {
    std::optional<Info> found;
    try {
      found = co_await find();
    } catch (const api_error& e) {
      if (e.code() != missing) throw;
    }
    if (found && differences(wanted, found->config).empty()) co_return std::move(*found);
    const auto next = found ? merged(wanted, found->config) : wanted;
    try {
      if (found) co_return co_await update(next);
      co_return co_await create(next);
    } catch (const api_error& e) {
      // Somebody created or deleted it in between: look again.
      const bool raced = e.code() == missing || e.code() == errc::config_mismatch;
      if (!raced || round == max_rounds) throw;
    }
  }
}

}  // namespace compass_fabric::jetstream
