// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/jetstream/error.hpp>

#include <utility>

#include <boost/system/error_category.hpp>

namespace compass_fabric::jetstream {

namespace {

class category final : public boost::system::error_category {
 public:
  const char* name() const noexcept override { return "compass_fabric.jetstream"; }
  std::string message(int value) const override { return to_string(static_cast<errc>(value)); }
  const char* message(int value, char*, std::size_t) const noexcept override {
    return to_string(static_cast<errc>(value));
  }
};

errc condition_of(int err_code) noexcept {
  switch (err_code) {
    case code::stream_not_found: return errc::stream_not_found;
    case code::consumer_not_found:
    case code::consumer_does_not_exist: return errc::consumer_not_found;
    case code::message_not_found:
    case code::message_delete_failed: return errc::message_not_found;
    case code::stream_name_in_use:
    case code::consumer_name_in_use:
    case code::consumer_exists: return errc::config_mismatch;
    case code::wrong_last_sequence:
    case code::wrong_last_sequence_concurrent:
    case code::wrong_last_message_id: return errc::wrong_last_sequence;
    case code::store_failed:
    case code::too_many_requests: return errc::stream_full;
    case code::system_unavailable:
    case code::no_account:
    case code::not_enabled_for_account:
    case code::not_enabled: return errc::unavailable;
    case code::account_limits_exceeded:
    case code::insufficient_resources:
    case code::maximum_consumers:
    case code::maximum_streams:
    case code::memory_exceeded:
    case code::storage_exceeded: return errc::insufficient_resources;
    default: return errc::refused;
  }
}

std::string text_of(int err_code, const std::string& description, std::string_view where) {
  return std::string(where) + ": " + description + " (" + std::to_string(err_code) + ")";
}

}  // namespace

const boost::system::error_category& jetstream_category() noexcept {
  static const category instance;
  return instance;
}

api_error::api_error(int status, int err_code, std::string description, std::string_view where)
    : system_error(make_error_code(condition_of(err_code)), text_of(err_code, description, where)),
      status_(status),
      err_code_(err_code),
      description_(std::move(description)) {}

}  // namespace compass_fabric::jetstream
