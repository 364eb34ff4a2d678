// SPDX-License-Identifier: Apache-2.0
// Error codes of the JetStream room: `errc` with its category, and `api_error`, the server's own answer.
//
//   try { co_await js.create_stream(orders); }
//   catch (const jetstream::api_error& e) { if (e.err_code() == jetstream::code::subjects_overlap) ... }
#pragma once

#include <compass_fabric/error.hpp>
#include <compass_fabric/jetstream/errc.hpp>

#include <string>
#include <string_view>
#include <type_traits>

namespace compass_fabric::jetstream {

/// The category of `jetstream::errc`, named `compass_fabric.jetstream`.
const boost::system::error_category& jetstream_category() noexcept;

inline error_code make_error_code(errc e) noexcept { return {static_cast<int>(e), jetstream_category()}; }

/// The server's numbers (`err_code`) that callers branch on. Source: the server's error list; they never change
/// meaning.
namespace code {
inline constexpr int account_limits_exceeded = 10002;
inline constexpr int bad_request = 10003;
inline constexpr int system_unavailable = 10008;
inline constexpr int consumer_create_failed = 10012;
inline constexpr int consumer_name_in_use = 10013;
inline constexpr int consumer_not_found = 10014;
inline constexpr int insufficient_resources = 10023;
inline constexpr int invalid_json = 10025;
inline constexpr int maximum_consumers = 10026;
inline constexpr int maximum_streams = 10027;
inline constexpr int memory_exceeded = 10028;
inline constexpr int no_account = 10035;
inline constexpr int message_not_found = 10037;
inline constexpr int not_enabled_for_account = 10039;
inline constexpr int storage_exceeded = 10047;
inline constexpr int stream_config_invalid = 10052;
inline constexpr int message_delete_failed = 10057;
inline constexpr int stream_name_in_use = 10058;
inline constexpr int stream_not_found = 10059;
inline constexpr int stream_mismatch = 10060;
inline constexpr int sequence_mismatch = 10063;
inline constexpr int subjects_overlap = 10065;
inline constexpr int wrong_last_message_id = 10070;
inline constexpr int wrong_last_sequence = 10071;
inline constexpr int replicas_not_supported = 10074;
inline constexpr int not_enabled = 10076;
inline constexpr int store_failed = 10077;
inline constexpr int consumer_exists = 10148;
inline constexpr int consumer_does_not_exist = 10149;
inline constexpr int duplicate_in_process = 10158;
inline constexpr int subject_sequence_not_ready = 10163;
inline constexpr int wrong_last_sequence_concurrent = 10164;
inline constexpr int too_many_requests = 10167;
}  // namespace code

/// An error the server answered. `code()` is the `errc` it stands for; `what()` reads "<where>: <description>
/// (<err_code>)".
class api_error : public system_error {
 public:
  api_error(int status, int err_code, std::string description, std::string_view where);

  /// The HTTP-like class: 400 the request, 404 absent, 500 failed, 503 not now.
  int status() const noexcept { return status_; }
  /// The server's stable number, see `jetstream::code`; 0 when it sent none.
  int err_code() const noexcept { return err_code_; }
  /// The server's text; for people only, it changes between versions.
  const std::string& description() const noexcept { return description_; }

 private:
  int status_;
  int err_code_;
  std::string description_;
};

}  // namespace compass_fabric::jetstream

template <>
struct boost::system::is_error_code_enum<compass_fabric::jetstream::errc> : std::true_type {};
