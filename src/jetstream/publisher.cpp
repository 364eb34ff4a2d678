// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/jetstream/publisher.hpp>

#include "jetstream/publish_fields.hpp"
#include "jetstream/publish_window.hpp"

#include <utility>

#include <boost/asio/dispatch.hpp>

namespace compass_fabric::jetstream {

namespace asio = boost::asio;

namespace {

publisher_options checked(publisher_options options) {
  if (options.window == 0) throw_error(errc::invalid_option, "publisher: window is 0");
  check_retry(options.retry, "publisher: retry options");
  return options;
}

void let_go(std::shared_ptr<publish_window> window) {
  if (!window || window->over()) return;
  const auto executor = window->get_executor();
  asio::dispatch(executor, [w = std::move(window)] { w->close(); });
}

}  // namespace

publisher::publisher(const context& js, const publisher_options& options, publish_outcome_handler on_outcome)
    : window_(publish_window::start(js.get_connection(), checked(options), std::move(on_outcome))) {}

publisher& publisher::operator=(publisher&& other) noexcept {
  if (this != &other) let_go(std::exchange(window_, std::move(other.window_)));
  return *this;
}

publisher::~publisher() { let_go(std::move(window_)); }

asio::awaitable<void> publisher::publish(std::string_view subject, std::string_view payload, publish_options options,
                                         std::uint64_t tag) {
  return publish_window::publish(window_, subject, payload, options, tag);
}

error_code publisher::try_publish(std::string_view subject, std::string_view payload, const publish_options& options,
                                  std::uint64_t tag) {
  return window_->try_publish(subject, payload, options, tag);
}

asio::awaitable<void> publisher::wait_all() { return publish_window::wait_all(window_); }

std::size_t publisher::open() const noexcept { return window_ ? window_->open() : 0; }

}  // namespace compass_fabric::jetstream
