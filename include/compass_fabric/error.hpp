// SPDX-License-Identifier: Apache-2.0
// Error codes of the client room: `errc` with its category, and the exception that names the subject or server.
//
//   if (ec == errc::timeout) ...
#pragma once

#include <string_view>
#include <type_traits>

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <compass_fabric/errc.hpp>

namespace compass_fabric {

using boost::system::error_code;
using boost::system::system_error;

/// The category of `errc`, named `compass_fabric.nats`.
const boost::system::error_category& nats_category() noexcept;

inline error_code make_error_code(errc e) noexcept { return {static_cast<int>(e), nats_category()}; }

/// Throws `system_error` with `code`; `what()` reads "<where>: <message>", where `where` names the subject or server.
[[noreturn]] void throw_error(error_code code, std::string_view where);

}  // namespace compass_fabric

template <>
struct boost::system::is_error_code_enum<compass_fabric::errc> : std::true_type {};
