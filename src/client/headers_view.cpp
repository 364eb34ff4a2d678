// SPDX-License-Identifier: Apache-2.0
#include "proto/header_block.hpp"

#include <compass_fabric/headers_view.hpp>

namespace compass_fabric {

headers_view::iterator& headers_view::iterator::operator++() noexcept {
  field_ = proto::next_field(rest_);
  return *this;
}

headers_view::iterator headers_view::begin() const noexcept { return iterator(proto::field_lines(block_)); }

int headers_view::status() const noexcept { return proto::status(block_); }

std::string_view headers_view::description() const noexcept { return proto::description(block_); }

std::optional<std::string_view> headers_view::get(std::string_view name) const noexcept {
  return proto::first(block_, name);
}

std::optional<std::string_view> headers_view::get_ignore_case(std::string_view name) const noexcept {
  return proto::first_ignore_case(block_, name);
}

std::vector<std::string_view> headers_view::get_all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const auto& field : *this) {
    if (field.name == name) values.push_back(field.value);
  }
  return values;
}

bool headers_view::malformed() const noexcept { return proto::malformed(block_); }

}  // namespace compass_fabric
