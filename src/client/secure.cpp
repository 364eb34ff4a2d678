// SPDX-License-Identifier: Apache-2.0
#include "client/secure.hpp"

#include <fmt/format.h>

#include "client/tls_client.hpp"
#include "client/tls_transport.hpp"

namespace compass_fabric::client {

asio::awaitable<error_code> secure(std::unique_ptr<transport>& stream, const tls_options& options,
                                   const std::string& host, std::string& text) {
  auto engine = make_tls_client(options, host, text);
  if (!engine) co_return errc::tls_setup_failed;
  auto secured = std::make_unique<tls_transport>(std::move(stream), std::move(engine));
  tls_transport& tls = *secured;
  stream = std::move(secured);
  const error_code failure = co_await tls.handshake();
  if (failure == errc::certificate_refused) {
    text = fmt::format("certificate for {:?}: {}", host, tls.failure_text());
  } else if (failure) {
    text = "TLS handshake: " + (tls.failure_text().empty() ? failure.message() : tls.failure_text());
  }
  co_return failure;
}

}  // namespace compass_fabric::client
