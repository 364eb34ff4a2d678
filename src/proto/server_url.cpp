// SPDX-License-Identifier: Apache-2.0
#include "proto/server_url.hpp"

#include "proto/ascii.hpp"
#include "proto/byte_class.hpp"
#include "proto/header_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace compass_fabric::proto {

namespace {

constexpr auto not_found = std::string_view::npos;

struct scheme_entry {
  url_scheme scheme;
  std::string_view name;
  std::uint16_t default_port;
};

constexpr scheme_entry schemes[] = {
    {url_scheme::nats, "nats", 4222},
    {url_scheme::tls, "tls", 4222},
    {url_scheme::ws, "ws", 80},
    {url_scheme::wss, "wss", 443},
};

constexpr const scheme_entry& entry_of(url_scheme scheme) noexcept { return schemes[static_cast<std::size_t>(scheme)]; }

int hex_value(char byte) noexcept {
  if (is_digit(byte)) return byte - '0';
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
  if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
  return -1;
}

/// The faults of one address are found part by part; each `read_` function stores its part or returns a text.
std::string read_scheme(std::string_view& text, server_url& url) {
  const auto mark = text.find("://");
  if (mark == not_found) return {};
  const auto name = text.substr(0, mark);
  const auto found = std::find_if(std::begin(schemes), std::end(schemes),
                                  [name](const scheme_entry& entry) { return equal_ignore_case(entry.name, name); });
  if (found == std::end(schemes)) return "unknown scheme; nats, tls, ws and wss are known";
  url.scheme = found->scheme;
  text.remove_prefix(mark + 3);
  return {};
}

bool percent_decode(std::string_view text, std::string& out) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    if (at + 2 >= text.size()) return false;
    const int high = hex_value(text[at + 1]);
    const int low = hex_value(text[at + 2]);
    if (high < 0 || low < 0) return false;
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return true;
}

std::string read_credentials(std::string_view& authority_text, server_url& url) {
  const auto mark = authority_text.rfind('@');
  if (mark == not_found) return {};
  const auto text = authority_text.substr(0, mark);
  authority_text.remove_prefix(mark + 1);
  if (text.empty() || text.front() == ':') return "empty user name before '@'";
  const auto colon = text.find(':');
  std::string hidden;
  bool decoded = percent_decode(text.substr(colon == not_found ? 0 : colon + 1), hidden);
  if (colon != not_found) decoded = percent_decode(text.substr(0, colon), url.user) && decoded;
  (colon == not_found ? url.token : url.password) = std::move(hidden);
  return decoded ? std::string() : "bad percent escape in the credentials";
}

std::string read_port(std::string_view text, server_url& url) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), url.port);
  if (error != std::errc() || end != text.data() + text.size() || url.port == 0) {
    return "the port is no number from 1 to 65535";
  }
  return {};
}

/// Checks the alphabet only: whether the address exists is the resolver's business.
bool is_ipv6_text(std::string_view text) noexcept {
  const auto zone = text.find('%');
  const auto address = text.substr(0, zone);
  if (address.find(':') == not_found || zone == text.size() - 1) return false;
  const bool plain = std::all_of(address.begin(), address.end(),
                                 [](char byte) { return hex_value(byte) >= 0 || byte == ':' || byte == '.'; });
  return plain && (zone == not_found || std::all_of(text.begin() + static_cast<std::ptrdiff_t>(zone) + 1, text.end(),
                                                    [](char byte) { return is_alphanumeric(byte) || byte == '-'; }));
}

std::string read_bracketed(std::string_view text, server_url& url) {
  const auto close = text.find(']');
  if (close == not_found) return "missing ']' after the IPv6 address";
  const auto address = text.substr(1, close - 1);
  if (!is_ipv6_text(address)) return "no IPv6 address between the brackets";
  url.host = address;
  const auto rest = text.substr(close + 1);
  if (rest.empty()) return {};
  if (rest.front() != ':') return "only a port may follow ']'";
  return read_port(rest.substr(1), url);
}

std::string read_host(std::string_view text, server_url& url) {
  if (text.starts_with('[')) return read_bracketed(text, url);
  const auto colon = text.find(':');
  if (colon != text.rfind(':')) return "more than one ':'; an IPv6 address needs brackets";
  const auto host = text.substr(0, colon);
  if (host.empty()) return "no host";
  const bool plain = std::all_of(host.begin(), host.end(), [](char byte) {
    return is_alphanumeric(byte) || byte == '-' || byte == '.' || byte == '_';
  });
  if (!plain) return "the host holds a character that is no letter, digit, '-', '.' or '_'";
  url.host = host;
  return colon == not_found ? std::string() : read_port(text.substr(colon + 1), url);
}

std::string read_target(std::string_view text, server_url& url) {
  if (text.find('#') != not_found) return "a fragment ('#') has no meaning here";
  const bool printable = std::none_of(text.begin(), text.end(), [](char byte) {
    return class_of(byte) == forbidden_byte || static_cast<unsigned char>(byte) >= 0x80;
  });
  if (!printable) return "the path holds a blank, control byte or non-ASCII byte";
  if (!is_websocket(url.scheme)) {
    return text.empty() || text == "/" ? std::string() : "only ws and wss addresses have a path";
  }
  if (text.starts_with('?')) url.target = '/';
  url.target += text;
  return {};
}

std::string read_url(std::string_view text, server_url& url) {
  if (text.empty()) return "empty address";
  if (auto fault = read_scheme(text, url); !fault.empty()) return fault;
  url.port = entry_of(url.scheme).default_port;
  const auto end = std::min(text.find_first_of("/?#"), text.size());
  auto authority_text = text.substr(0, end);
  if (auto fault = read_credentials(authority_text, url); !fault.empty()) return fault;
  if (auto fault = read_host(authority_text, url); !fault.empty()) return fault;
  return read_target(text.substr(end), url);
}

}  // namespace

std::optional<server_url> parse_server_url(std::string_view text, std::string& fault, url_scheme default_scheme) {
  server_url url;
  url.scheme = default_scheme;
  fault = read_url(trim_blanks(text), url);
  if (!fault.empty()) return std::nullopt;
  return url;
}

std::optional<std::vector<server_url>> parse_server_list(std::string_view text, std::string& fault) {
  std::vector<server_url> list;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    auto url = parse_server_url(text.substr(begin, end - begin), fault);
    if (!url) {
      fault = fmt::format("address {}: {}", list.size() + 1, fault);
      return std::nullopt;
    }
    list.push_back(std::move(*url));
    begin = end + 1;
  }
  return list;
}

std::string_view to_string(url_scheme scheme) noexcept { return entry_of(scheme).name; }

// A host name never holds a colon, and its last label is never a number.
bool is_address(std::string_view host) noexcept {
  if (host.find(':') != not_found) return true;
  const auto last = host.substr(host.rfind('.') + 1);
  return host.find('.') != not_found && !last.empty() && std::all_of(last.begin(), last.end(), is_digit);
}

std::string authority(const server_url& url) {
  const bool ipv6 = url.host.find(':') != std::string::npos;
  return ipv6 ? fmt::format("[{}]:{}", url.host, url.port) : fmt::format("{}:{}", url.host, url.port);
}

std::string to_string(const server_url& url) {
  const auto path = std::string_view(url.target).substr(0, url.target.find('?'));
  return fmt::format("{}://{}{}", to_string(url.scheme), authority(url), path);
}

}  // namespace compass_fabric::proto
