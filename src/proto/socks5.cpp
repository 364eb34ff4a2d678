// SPDX-License-Identifier: Apache-2.0
#include "proto/socks5.hpp"

#include <fmt/format.h>

namespace compass_fabric::proto {
namespace {

constexpr char version = 5;
constexpr char no_login = 0;
constexpr char by_password = 2;
constexpr char ipv4 = 1;
constexpr char name = 3;
constexpr char ipv6 = 4;

constexpr std::size_t head_size = 5;  // version, answer, reserved, kind of address and its first byte

unsigned int number(char byte) noexcept { return static_cast<unsigned char>(byte); }

const char* answer_text(unsigned int answer) noexcept {
  switch (answer) {
    case 1: return "general failure";
    case 2: return "not allowed by its rules";
    case 3: return "network unreachable";
    case 4: return "host unreachable";
    case 5: return "connection refused";
    case 6: return "time to live expired";
    case 7: return "command not supported";
    case 8: return "kind of address not supported";
    default: return "unknown answer";
  }
}

void append_sized(std::string& out, std::string_view text) {
  out += static_cast<char>(text.size());
  out += text;
}

}  // namespace

socks5::socks5(const proxy_address& proxy, const proxy_target& target) : proxy_(proxy), target_(target) {
  const bool with_login = !proxy.user.empty();
  if (proxy.user.size() > 255 || proxy.password.size() > 255) {
    fail("SOCKS user name and password have at most 255 bytes");
  } else if (target.address.empty() && target.host.size() > 255) {
    fail("SOCKS host names have at most 255 bytes");
  } else {
    say(with_login ? std::string{version, 2, no_login, by_password} : std::string{version, 1, no_login});
  }
}

void socks5::feed(std::string_view bytes) {
  reply_ += bytes;
  if (phase_ == phase::method && reply_.front() != version) {
    fail("the proxy does not speak SOCKS 5");
  } else if (reply_.size() >= reply_size_) {
    on_reply();
  }
}

void socks5::on_reply() {
  switch (phase_) {
    case phase::method: on_method(); break;
    case phase::login:
      if (reply_[1] != 0) {
        fail("the proxy refused user name or password");
      } else {
        send_request();
      }
      break;
    case phase::head: on_head(); break;
    case phase::rest: done(); break;
  }
}

void socks5::on_method() {
  if (reply_[1] == no_login) {
    send_request();
  } else if (reply_[1] == by_password && !proxy_.user.empty()) {
    send_login();
  } else {
    fail(proxy_.user.empty() ? "the proxy demands a login" : "the proxy takes no user name and password");
  }
}

// The address the proxy connected from follows; nobody needs it, but the server's bytes come behind it.
void socks5::on_head() {
  if (reply_[1] != 0) {
    fail(fmt::format("the proxy cannot reach {}: {}", target_.host, answer_text(number(reply_[1]))));
    return;
  }
  constexpr std::size_t port_size = 2;
  switch (reply_[3]) {
    case ipv4: expect(phase::rest, 4 - 1 + port_size); break;
    case ipv6: expect(phase::rest, 16 - 1 + port_size); break;
    case name: expect(phase::rest, number(reply_[4]) + port_size); break;
    default: fail("the proxy's answer has an unknown kind of address");
  }
}

void socks5::send_login() {
  std::string login;
  login.reserve(3 + proxy_.user.size() + proxy_.password.size());  // growing would leave a copy behind
  login += '\x01';                                                 // version of the login's own protocol
  append_sized(login, proxy_.user);
  append_sized(login, proxy_.password.view());
  say(std::move(login));
  expect(phase::login, 2);
}

void socks5::send_request() {
  std::string request{version, 1, 0};  // connect
  if (target_.address.empty()) {
    request += name;
    append_sized(request, target_.host);
  } else {
    request += target_.address.size() == 4 ? ipv4 : ipv6;
    request += target_.address;
  }
  request += static_cast<char>(target_.port >> 8);
  request += static_cast<char>(target_.port & 0xff);
  say(std::move(request));
  expect(phase::head, head_size);
}

void socks5::expect(phase next, std::size_t size) {
  phase_ = next;
  reply_.clear();
  reply_size_ = size;
}

}  // namespace compass_fabric::proto
