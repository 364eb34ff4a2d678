// SPDX-License-Identifier: Apache-2.0
// One line of output as a JSON object, and text made fit for one line.
#pragma once

#include <compass_fabric/headers_view.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace fabricctl {

class json_line {
 public:
  json_line& text(std::string_view name, std::string_view value);
  json_line& number(std::string_view name, std::uint64_t value);
  json_line& boolean(std::string_view name, bool value);
  /// Text when the bytes are UTF-8, else base64 under "<name>_base64".
  json_line& bytes(std::string_view name, std::string_view value);
  /// {"Name": ["value", ...]}; nothing when there are none.
  json_line& fields(std::string_view name, const compass_fabric::headers_view& values);
  /// The object, without a line end.
  std::string str() const { return out_ + "}"; }

 private:
  void key(std::string_view name);
  std::string out_ = "{";
};

/// `text` with control bytes, tabs and backslashes escaped as in C, so that it stays on one line and in one column.
std::string one_line(std::string_view text);

}  // namespace fabricctl
