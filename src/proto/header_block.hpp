// SPDX-License-Identifier: Apache-2.0
// The NATS/1.0 header block: reading any bytes without allocating, checking and writing fields.
//
//   if (status(block) == 503) ...
//   auto id = first(block, "Nats-Sequence");
//
// Reading never fails: lines that are no field are passed over, `malformed` tells. Writing takes checked fields only.
#pragma once

#include <compass_fabric/headers_view.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace compass_fabric::proto {

/// The three-digit status of the version line; 0 when there is none.
int status(std::string_view block) noexcept;

/// The text behind the status without outer blanks; empty when there is none.
std::string_view description(std::string_view block) noexcept;

/// What follows the version line: the argument `next_field` starts with.
std::string_view field_lines(std::string_view block) noexcept;

/// Takes the next well-formed field off the front of `lines`; nothing at the blank line or at the end.
std::optional<header_field> next_field(std::string_view& lines) noexcept;

/// The first value of `name`, compared byte by byte.
std::optional<std::string_view> first(std::string_view block, std::string_view name) noexcept;

/// The first value of `name` in any ASCII case.
std::optional<std::string_view> first_ignore_case(std::string_view block, std::string_view name) noexcept;

/// True when the version line, any field line or the final blank line is missing or broken. False for an empty block.
bool malformed(std::string_view block) noexcept;

/// True when the names are equal apart from the case of ASCII letters.
bool equal_ignore_case(std::string_view left, std::string_view right) noexcept;

/// `text` without spaces and tabs at either end.
std::string_view trim_blanks(std::string_view text) noexcept;

/// True for a name that can be written: not empty, no blank, control byte, DEL or colon.
bool valid_header_name(std::string_view name) noexcept;

/// True for a value that can be written: no CR, LF or NUL.
bool valid_header_value(std::string_view value) noexcept;

/// Names the rule a field breaks; empty for a valid one.
std::string header_fault(std::string_view name, std::string_view value);

/// Fields as the public `headers` stores them: valid, values trimmed.
using header_fields = std::span<const std::pair<std::string, std::string>>;

/// The exact number of bytes `append_header_block` adds, at least 12.
std::size_t encoded_size(header_fields fields) noexcept;

/// Writes the version line, the fields in order and the blank line: exactly `encoded_size` bytes; returns their end.
/// Precondition: every field is valid.
char* write_header_block(char* at, header_fields fields) noexcept;

/// Appends the version line, the fields in order and the blank line. Precondition: every field is valid.
void append_header_block(std::string& out, header_fields fields);

}  // namespace compass_fabric::proto
