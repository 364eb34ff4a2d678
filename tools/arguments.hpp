// SPDX-License-Identifier: Apache-2.0
// What fabricctl can be told, as plain data: the options of every command, and the command with its own.
#pragma once

#include <compass_fabric/fabric/config.hpp>
#include <compass_fabric/fabric/event_kind.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fabricctl {

struct common_options {
  /// A context's name; empty = none named.
  std::string context;
  std::string server;
  std::string user;
  std::string password;
  std::string token;
  /// Files with a user's JWT and seed, or a seed.
  std::string creds;
  std::string nkey;
  /// From a context only.
  std::string user_jwt;
  std::string user_seed;
  /// PEM files: authorities to trust, this client's certificate and its key.
  std::string ca;
  std::string cert;
  std::string key;
  bool tls_first = false;
  /// `http://host:port` or `socks5://host:port`; empty = none.
  std::string proxy;
  std::string inbox_prefix;
  std::string name = "fabricctl";
  bool no_echo = false;
  bool randomize = false;
  bool ignore_announced = false;
  bool retry_connect = false;
  /// Per server; negative = for ever.
  int max_reconnects = -1;
  std::chrono::milliseconds ping_interval{120000};
  std::chrono::milliseconds timeout{5000};
  bool json = false;
};

struct pub_arguments {
  std::string subject;
  /// "-" = all of standard input.
  std::string payload;
  /// "Name: value" each.
  std::vector<std::string> fields;
  std::string reply;
  std::uint64_t count = 1;
};

struct sub_arguments {
  std::string subject;
  std::string queue;
  /// End after so many messages; nothing = go on.
  std::optional<std::uint64_t> count;
};

struct request_arguments {
  std::string subject;
  std::string payload;
};

struct reply_arguments {
  std::string subject;
  std::string payload;
  std::optional<std::uint64_t> count;
};

struct provision_arguments {
  compass_fabric::fabric::topology_mode mode = compass_fabric::fabric::topology_mode::apply;
  compass_fabric::fabric::config settings;
};

struct publish_arguments {
  /// One reference, or a file of references ("-" = standard input).
  std::string tenant;
  std::string kind;
  std::string row;
  std::optional<std::string> revision;
  std::optional<std::string> from;
};

struct consume_arguments {
  std::string kind;
  /// Nothing = every tenant.
  std::optional<std::string> tenant;
  std::optional<std::uint64_t> count;
  /// A shell command to run for each event; empty = none.
  std::string command;
  compass_fabric::fabric::config settings;
};

struct dlq_arguments {
  std::optional<std::uint64_t> count;
};

enum class server_question { info, ping, rtt };

struct server_arguments {
  server_question what = server_question::info;
  std::uint64_t count = 1;
};

struct streams_arguments {};
struct consumers_arguments {};

using command = std::variant<pub_arguments, sub_arguments, request_arguments, reply_arguments, provision_arguments,
                             publish_arguments, consume_arguments, dlq_arguments, streams_arguments,
                             consumers_arguments, server_arguments>;

struct arguments {
  common_options common;
  command chosen;
};

/// What the command line says, or the exit status when there is nothing to run: 0 after help was printed, 2 after bad
/// usage was explained on standard error.
std::variant<arguments, int> parse_arguments(int argc, const char* const* argv);

}  // namespace fabricctl
