// SPDX-License-Identifier: Apache-2.0
#include "proto/header_block.hpp"

#include <compass_fabric/error.hpp>
#include <compass_fabric/headers.hpp>

#include <algorithm>
#include <iterator>

namespace compass_fabric {

namespace {

/// The field in its stored form, or an exception.
headers::field checked(std::string_view name, std::string_view value) {
  if (const auto fault = proto::header_fault(name, value); !fault.empty()) throw_error(errc::invalid_header, fault);
  return {std::string(name), std::string(proto::trim_blanks(value))};
}

auto named(std::string_view name) {
  return [name](const headers::field& field) { return field.first == name; };
}

}  // namespace

headers::headers(const headers_view& view) {
  for (const auto& [name, value] : view) fields_.emplace_back(name, value);
}

headers& headers::add(std::string_view name, std::string_view value) {
  fields_.push_back(checked(name, value));
  return *this;
}

headers& headers::set(std::string_view name, std::string_view value) {
  auto replacement = checked(name, value);
  const auto is_other = named(replacement.first);
  const auto found = std::find_if(fields_.begin(), fields_.end(), is_other);
  if (found == fields_.end()) {
    fields_.push_back(std::move(replacement));
    return *this;
  }
  found->second = std::move(replacement.second);
  fields_.erase(std::remove_if(std::next(found), fields_.end(), is_other), fields_.end());
  return *this;
}

std::size_t headers::erase(std::string_view name) {
  // Copied because `name` may be a view of a field that is about to go.
  const std::string key(name);
  return std::erase_if(fields_, named(key));
}

std::optional<std::string_view> headers::get(std::string_view name) const noexcept {
  const auto found = std::find_if(begin(), end(), named(name));
  if (found == end()) return std::nullopt;
  return found->second;
}

std::optional<std::string_view> headers::get_ignore_case(std::string_view name) const noexcept {
  for (const auto& [key, value] : fields_) {
    if (proto::equal_ignore_case(key, name)) return value;
  }
  return std::nullopt;
}

std::vector<std::string_view> headers::get_all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const auto& [key, value] : fields_) {
    if (key == name) values.emplace_back(value);
  }
  return values;
}

}  // namespace compass_fabric
