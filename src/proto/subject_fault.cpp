// SPDX-License-Identifier: Apache-2.0
// The texts behind a refused subject. Cold: only built once something is wrong.
#include "proto/byte_class.hpp"
#include "proto/subject.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace compass_fabric::proto {

namespace {

std::string size_fault(std::string_view text) {
  if (text.empty()) return "empty";
  if (text.size() > max_subject_size) {
    return fmt::format("longer than {} bytes ({} given)", max_subject_size, text.size());
  }
  return {};
}

std::string byte_fault(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (class_of(text[at]) != forbidden_byte) continue;
    if (text[at] == ' ') return fmt::format("blank at byte {}", at);
    return fmt::format("control byte {:#04x} at byte {}", static_cast<unsigned char>(text[at]), at);
  }
  return {};
}

/// What a caller allows among the tokens.
enum class wildcards { none, filter };

std::string token_list_fault(std::string_view text, wildcards allowed) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('.', begin), text.size());
    const auto token = text.substr(begin, end - begin);
    if (token.empty()) return fmt::format("empty token at byte {}", begin);
    const bool wildcard = token == "*" || token == ">";
    if (wildcard && allowed == wildcards::none) return fmt::format("wildcard '{}' at byte {}", token, begin);
    if (token == ">" && end != text.size()) return fmt::format("'>' before the last token, at byte {}", begin);
    begin = end + 1;
  }
  return {};
}

std::string fault(std::string_view text, wildcards allowed) {
  if (auto size = size_fault(text); !size.empty()) return size;
  if (auto byte = byte_fault(text); !byte.empty()) return byte;
  return token_list_fault(text, allowed);
}

}  // namespace

std::string subject_fault(std::string_view subject) { return fault(subject, wildcards::none); }

std::string filter_fault(std::string_view filter) { return fault(filter, wildcards::filter); }

std::string queue_name_fault(std::string_view name) {
  if (auto size = size_fault(name); !size.empty()) return size;
  return byte_fault(name);
}

std::string token_fault(std::string_view token) {
  if (auto name = queue_name_fault(token); !name.empty()) return name;
  for (std::size_t at = 0; at < token.size(); ++at) {
    if (class_of(token[at]) != ordinary_byte) return fmt::format("'{}' at byte {}", token[at], at);
  }
  return {};
}

}  // namespace compass_fabric::proto
