// SPDX-License-Identifier: Apache-2.0
#include "testing/json_value.hpp"

#include <simdjson.h>

#include <stdexcept>
#include <utility>

namespace compass_fabric::testing {
namespace {

// Reads the value while the parser that owns its text still lives.
template <class Wire, class Result>
std::optional<Result> value_at(std::string_view json, std::string_view pointer, Result (*convert)(const Wire&)) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) {
    throw std::runtime_error("not JSON: " + std::string(json));
  }
  Wire value;
  if (root.at_pointer(pointer).get(value) != simdjson::SUCCESS) return std::nullopt;
  return convert(value);
}

template <class T>
T as_is(const T& value) {
  return value;
}

std::string copy_text(const std::string_view& text) { return std::string(text); }
std::size_t count_elements(const simdjson::dom::array& array) { return array.size(); }

}  // namespace

std::optional<std::int64_t> json_int(std::string_view json, std::string_view pointer) {
  return value_at(json, pointer, as_is<std::int64_t>);
}

std::optional<bool> json_bool(std::string_view json, std::string_view pointer) {
  return value_at(json, pointer, as_is<bool>);
}

std::optional<std::string> json_string(std::string_view json, std::string_view pointer) {
  return value_at(json, pointer, copy_text);
}

std::optional<std::size_t> json_size(std::string_view json, std::string_view pointer) {
  return value_at(json, pointer, count_elements);
}

}  // namespace compass_fabric::testing
