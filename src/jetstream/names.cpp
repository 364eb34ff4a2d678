// SPDX-License-Identifier: Apache-2.0
#include "jetstream/names.hpp"

#include "proto/subject.hpp"

#include <compass_fabric/jetstream/error.hpp>

#include <fmt/format.h>

namespace compass_fabric::jetstream {

namespace {

constexpr std::size_t max_name_size = 255;

bool forbidden(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7f || std::string_view(".*>/\\").find(c) != std::string_view::npos;
}

[[noreturn]] void refuse(std::string_view kind, std::string_view name, const std::string& fault) {
  throw system_error(errc::invalid_name, fmt::format("{} \"{}\": {}", kind, name.substr(0, max_name_size), fault));
}

}  // namespace

std::string name_fault(std::string_view name) {
  if (name.empty()) return "empty";
  for (std::size_t i = 0; i != name.size(); ++i) {
    if (!forbidden(name[i])) continue;
    const auto byte = static_cast<unsigned char>(name[i]);
    if (byte > 0x20 && byte != 0x7f) return fmt::format("'{}' at byte {}", name[i], i);
    return fmt::format("byte 0x{:02x} at byte {}", byte, i);
  }
  if (name.size() > max_name_size) return fmt::format("{} bytes, more than {}", name.size(), max_name_size);
  return {};
}

void check_name(std::string_view kind, std::string_view name) {
  if (auto fault = name_fault(name); !fault.empty()) refuse(kind, name, fault);
}

void check_filter(std::string_view kind, std::string_view filter) {
  if (auto fault = proto::filter_fault(filter); !fault.empty()) refuse(kind, filter, fault);
}

}  // namespace compass_fabric::jetstream
