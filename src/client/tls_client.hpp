// SPDX-License-Identifier: Apache-2.0
// The client's side of TLS for one link: which name is asked for and checked, and what the user's check is told.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <compass_fabric/tls_options.hpp>

#include "client/tls_engine.hpp"
#include "proto/server_url.hpp"
#include "proto/session.hpp"

namespace compass_fabric::client {

/// The name or address a server's certificate must be valid for.
std::string_view tls_host(const tls_options& options, const proto::server_url& server) noexcept;

/// What a link to `server` wants of TLS; `seen` tells that an earlier link of the connection was encrypted.
proto::tls_need tls_need_of(const tls_options& options, const proto::server_url& server, bool seen) noexcept;

/// An engine that asks for `host` and checks the answer as `options` say; these must outlive it. Nothing when something
/// configured cannot be used; `fault` says what.
std::unique_ptr<tls_engine> make_tls_client(const tls_options& options, std::string_view host, std::string& fault);

}  // namespace compass_fabric::client
