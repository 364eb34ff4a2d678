// SPDX-License-Identifier: Apache-2.0
// Options are checked before anything starts, and taken apart for the pieces that use them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <compass_fabric/options.hpp>

#include "proto/server_pool.hpp"

namespace compass_fabric::client {

/// Returns `options`, or throws `invalid_option` naming the option and the rule.
connect_options checked(connect_options options);
/// The servers at `addresses`; throws `invalid_url` naming the fault, or `invalid_option` where `tls` forbids one.
std::vector<proto::server_url> parse_servers(const std::vector<std::string>& addresses, const tls_options& tls);
/// The entries of a comma-separated list.
std::vector<std::string> split_servers(std::string_view list);
/// True when each name is a token and no value could end its line.
bool valid_http_fields(const http_fields& fields) noexcept;
proto::pool_policy pool_policy(const reconnect_options& options) noexcept;

}  // namespace compass_fabric::client
