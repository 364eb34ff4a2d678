// SPDX-License-Identifier: Apache-2.0
// Error codes of the fabric room, and `fault`: a code with one line that names the field and the rule it breaks.
//
//   if (auto f = check(ref)) log(f->text);   // "tenant: '.' at byte 1 is not allowed in a subject token"
#pragma once

#include <compass_fabric/error.hpp>
#include <compass_fabric/fabric/errc.hpp>

#include <boost/assert/source_location.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <string>
#include <type_traits>

namespace compass_fabric::fabric {

/// The category of `fabric::errc`, named `compass_fabric.fabric`.
const boost::system::error_category& fabric_category() noexcept;

inline error_code make_error_code(errc e) noexcept { return {static_cast<int>(e), fabric_category()}; }

/// Why something was refused before it was sent, or could not be read.
struct fault {
  errc code;
  /// One line, never with bytes of the refused value: "<field>: <rule>".
  std::string text;
};

/// Throws `system_error` with the code of `f`; `what()` begins with its text.
[[noreturn]] void throw_fault(const fault& f);

/// Lets `result<T, fault>::value()` throw `system_error`.
[[noreturn]] inline void throw_exception_from_error(const fault& f, const boost::source_location&) { throw_fault(f); }

}  // namespace compass_fabric::fabric

template <>
struct boost::system::is_error_code_enum<compass_fabric::fabric::errc> : std::true_type {};
