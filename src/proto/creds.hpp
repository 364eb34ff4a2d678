// SPDX-License-Identifier: Apache-2.0
// Credentials files: a user's JWT and seed between lines of dashes.
//
//   -----BEGIN NATS USER JWT-----
//   eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ...
//   ------END NATS USER JWT------
//   -----BEGIN USER NKEY SEED-----
//   SUA...
//   ------END USER NKEY SEED------
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <compass_fabric/secret.hpp>

namespace compass_fabric::proto {

struct user_creds {
  secret jwt;
  /// Not decoded yet.
  secret seed;
};

/// Reads the first two blocks of a credentials file. A block opens with a line of three or more dashes that says BEGIN,
/// holds one line, and ends with the next line of dashes; blanks around lines, empty lines, CR before the line end and
/// any text outside blocks are ignored.
/// Without success `fault` says what is missing, without a word of the content.
std::optional<user_creds> parse_creds(std::string_view text, std::string& fault);

/// Reads a seed file: the first block whose line begins with S, or the first such line of a file without blocks.
std::optional<secret> parse_seed_file(std::string_view text, std::string& fault);

}  // namespace compass_fabric::proto
