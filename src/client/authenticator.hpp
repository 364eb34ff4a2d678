// SPDX-License-Identifier: Apache-2.0
// Who logs in, asked anew for every link.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/credentials.hpp>
#include <compass_fabric/options.hpp>

#include "client/scheduler.hpp"
#include "proto/connect_writer.hpp"
#include "proto/server_url.hpp"

namespace compass_fabric::client {

/// Holds no secret beyond those of the options. One `complete` at a time.
class authenticator {
 public:
  authenticator(scheduler& s, const connect_options& options) : scheduler_(s), options_(options) {}

  /// Adds the credentials for one attempt to `fields`: those inside the server's address replace user, password and
  /// token of the options; then come `auth` and the callbacks. Returns `invalid_credentials`, with `fault()`, or why it
  /// was given up.
  asio::awaitable<error_code> complete(proto::connect_fields& fields, const proto::server_url& server,
                                       login_request request);
  /// What was wrong; never a secret.
  const std::string& fault() const noexcept { return fault_; }
  /// Ends a running `complete` with `reason`.
  void abort(error_code reason) noexcept;

 private:
  struct question;

  error_code add(proto::connect_fields& fields, const credentials& how, const std::string& nonce);
  asio::awaitable<error_code> add_asked(proto::connect_fields& fields, login_request request);
  error_code refuse(std::string why);

  scheduler& scheduler_;
  const connect_options& options_;
  std::shared_ptr<question> asked_;
  std::string fault_;
};

}  // namespace compass_fabric::client
