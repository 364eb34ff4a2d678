// SPDX-License-Identifier: Apache-2.0
#include "json_line.hpp"

#include <openssl/evp.h>
#include <simdjson.h>

#include <vector>

namespace fabricctl {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out.append(1, '\\').append(1, c);
    else if (byte < 0x20)
      out.append("\\u00").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
    else
      out += c;
  }
  out += '"';
}

bool utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

std::string base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const auto* in = reinterpret_cast<const unsigned char*>(bytes.data());
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), in, static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

}  // namespace

void json_line::key(std::string_view name) {
  if (out_.size() > 1) out_ += ',';
  append_quoted(out_, name);
  out_ += ':';
}

json_line& json_line::text(std::string_view name, std::string_view value) { return bytes(name, value); }

json_line& json_line::number(std::string_view name, std::uint64_t value) {
  key(name);
  out_ += std::to_string(value);
  return *this;
}

json_line& json_line::boolean(std::string_view name, bool value) {
  key(name);
  out_ += value ? "true" : "false";
  return *this;
}

json_line& json_line::bytes(std::string_view name, std::string_view value) {
  if (utf8(value)) {
    key(name);
    append_quoted(out_, value);
  } else {
    key(std::string(name) + "_base64");
    append_quoted(out_, base64(value));
  }
  return *this;
}

json_line& json_line::fields(std::string_view name, const compass_fabric::headers_view& values) {
  std::vector<std::pair<std::string_view, std::string>> merged;  // one entry per name, its values as JSON
  for (const auto& [field, value] : values) {
    if (!utf8(field) || !utf8(value)) continue;
    auto place = merged.begin();
    while (place != merged.end() && place->first != field) ++place;
    if (place == merged.end()) place = merged.insert(place, {field, {}});
    if (!place->second.empty()) place->second += ',';
    append_quoted(place->second, value);
  }
  if (merged.empty()) return *this;
  key(name);
  char separator = '{';
  for (const auto& [field, list] : merged) {
    out_ += separator;
    append_quoted(out_, field);
    out_.append(":[").append(list).append("]");
    separator = ',';
  }
  out_ += '}';
  return *this;
}

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      out.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
    else
      out += c;
  }
  return out;
}

}  // namespace fabricctl
