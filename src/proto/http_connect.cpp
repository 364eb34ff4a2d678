// SPDX-License-Identifier: Apache-2.0
#include "proto/http_connect.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "proto/base32.hpp"
#include "proto/server_url.hpp"

namespace compass_fabric::proto {
namespace {

constexpr std::string_view head_end = "\r\n\r\n";
constexpr std::size_t longest_head = 16 * 1024;

// `HTTP/1.1 200 text`: true for 2xx.
bool accepts(std::string_view line) noexcept {
  return line.starts_with("HTTP/1.") && line.size() >= 12 && line[8] == ' ' && line[9] == '2';
}

// What a status line says, fit for a log.
std::string status_text(std::string_view line) {
  if (!line.starts_with("HTTP/")) return "the proxy does not speak HTTP";
  std::string text(line.substr(std::min(line.find(' '), line.size()), 100));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return "the proxy answered" + text;
}

}  // namespace

http_connect::http_connect(const proxy_address& proxy, const proxy_target& target) {
  server_url url;
  url.host = target.host;
  url.port = target.port;
  const auto place = authority(url);
  std::string request = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\n", place);
  if (!proxy.user.empty()) {
    std::string login = proxy.user + ":";
    login += proxy.password.view();
    auto encoded = encode_base64(login);
    request.reserve(request.size() + encoded.size() + 64);  // growing later would leave a copy behind
    request += "Proxy-Authorization: Basic ";
    request += encoded;
    request += "\r\n";
    wipe(login);
    wipe(encoded);
  }
  request += "\r\n";
  say(std::move(request));
}

// The head ends where `head_end` is complete: with m of its bytes seen, at least the rest of it must follow.
std::size_t http_connect::wanted() const noexcept {
  std::size_t seen = head_end.size() - 1;
  while (seen != 0 && !std::string_view(reply_).ends_with(head_end.substr(0, seen))) --seen;
  return head_end.size() - seen;
}

void http_connect::feed(std::string_view bytes) {
  reply_ += bytes;
  const std::string_view line = std::string_view(reply_).substr(0, reply_.find("\r\n"));
  if (!std::string_view("HTTP/").starts_with(line.substr(0, 5))) {
    fail(status_text(line));
  } else if (reply_.ends_with(head_end)) {
    accepts(line) ? done() : fail(status_text(line));
  } else if (reply_.size() > longest_head) {
    fail("the proxy's answer does not end");
  }
}

}  // namespace compass_fabric::proto
