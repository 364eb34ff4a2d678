// SPDX-License-Identifier: Apache-2.0
// Text in double quotes as the server prints it: with the escapes of its programming language.
#pragma once

#include <string>
#include <string_view>

namespace compass_fabric::proto {

/// Takes the quoted text that `rest` starts with off its front and returns its content. An escape that is none is kept
/// as it stands; without a closing quote everything belongs to the text. Precondition: `rest` starts with a quote.
std::string take_quoted(std::string_view& rest);

}  // namespace compass_fabric::proto
