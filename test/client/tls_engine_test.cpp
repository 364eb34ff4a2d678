// SPDX-License-Identifier: Apache-2.0
#include "client/tls_engine.hpp"

#include <openssl/pem.h>

#include <catch2/catch_test_macros.hpp>
#include <string>

#include <compass_fabric/testing/test_authority.hpp>
#include "client/tls_client.hpp"

using namespace compass_fabric;
using namespace compass_fabric::client;
using namespace compass_fabric::testing;

namespace {

/// Both sides of a stream in memory.
struct pair {
  explicit pair(tls_version highest = tls_version::tls1_3) {
    tls_options identity;
    const auto issued = ca.issue({.names = {"server"}});
    identity.certificate.text = issued.certificate;
    identity.key.text = issued.key;
    std::string fault;
    server_context = make_tls_context(identity, fault);
    REQUIRE(fault.empty());
    SSL* const ssl = SSL_new(server_context.get());
    SSL_set_ssl_method(ssl, TLS_server_method());
    SSL_set_accept_state(ssl);
    server = std::make_unique<tls_engine>(ssl);
    options.ca.text = ca.pem();
    options.max_version = highest;
    client = make_tls_client(options, "server", fault);
    REQUIRE(client);
  }

  /// Moves what one side has said to the other, `piece` bytes at a time, and lets it act on each.
  template <class Act>
  static void move(tls_engine& from, tls_engine& to, std::size_t piece, Act act) {
    while (!from.output().empty()) {
      const auto bytes = from.output().view().substr(0, piece);
      to.feed(bytes);
      from.output().consume(bytes.size());
      act();
    }
  }

  void handshake(std::size_t piece) {
    auto mine = client->handshake();
    auto theirs = tls_status::need_input;
    for (int turn = 0; turn < 10 && (mine != tls_status::done || theirs != tls_status::done); ++turn) {
      move(*client, *server, piece, [&] { theirs = server->handshake(); });
      move(*server, *client, piece, [&] { mine = client->handshake(); });
    }
    REQUIRE(mine == tls_status::done);
    REQUIRE(theirs == tls_status::done);
  }

  static std::string read(tls_engine& engine, tls_status& last) {
    std::string text;
    std::string buffer(100, '\0');
    std::size_t count = 0;
    for (last = engine.read(buffer.data(), buffer.size(), count); last == tls_status::done;
         last = engine.read(buffer.data(), buffer.size(), count))
      text.append(buffer, 0, count);
    return text;
  }

  test_authority ca{"engine CA"};
  ssl_context_ptr server_context;
  tls_options options;
  std::unique_ptr<tls_engine> server;
  std::unique_ptr<tls_engine> client;
};

}  // namespace

TEST_CASE("a TLS stream may be cut at any byte", "[client][row4][row12]") {
  for (const auto version : {tls_version::tls1_2, tls_version::tls1_3}) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{100'000}}) {
      pair p(version);
      p.handshake(piece);
      const std::string text(40'000, 'x');  // three records
      std::string got;
      tls_status last{};
      REQUIRE(p.client->write(text));
      pair::move(*p.client, *p.server, piece, [&] { got += pair::read(*p.server, last); });
      CHECK(got == text);
      CHECK(last == tls_status::need_input);
      got.clear();
      REQUIRE(p.server->write("answer"));
      pair::move(*p.server, *p.client, piece, [&] { got += pair::read(*p.client, last); });
      CHECK(got == "answer");
    }
  }
}

TEST_CASE("an orderly end is told apart from a broken stream", "[client][row4]") {
  pair p;
  p.handshake(100'000);
  REQUIRE(p.server->write("last words"));
  p.server->end();
  std::string got;
  tls_status last{};
  pair::move(*p.server, *p.client, 100'000, [&] { got += pair::read(*p.client, last); });
  CHECK(got == "last words");
  CHECK(last == tls_status::ended);

  pair broken;
  broken.handshake(100'000);
  REQUIRE(broken.server->write("text"));
  broken.server->write("never read");
  std::string bytes(broken.server->output().view());
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  broken.client->feed(bytes);
  CHECK(pair::read(*broken.client, last) == "text");
  CHECK(last == tls_status::failed);
  CHECK(broken.client->error() == errc::tls_failed);
  CHECK_FALSE(broken.client->error_text().empty());
  std::size_t count = 0;
  char byte = 0;
  CHECK(broken.client->read(&byte, 1, count) == tls_status::failed);
  CHECK_FALSE(broken.client->write("more"));
}
