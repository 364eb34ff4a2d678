// SPDX-License-Identifier: Apache-2.0
// Who is trusted, and what happens to whom is not.
#include <fmt/format.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <catch2/generators/catch_generators.hpp>

#include "tls_fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string tls_version_at(const nats_server& server) {
  const auto page = server.monitor("/connz");
  const auto at = page.find("\"tls_version\": \"");
  return at == std::string::npos ? "" : page.substr(at + 16, 3);
}

// The name `openssl rehash` gives a certificate, without the number behind it.
std::string subject_hash(const std::string& pem) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> in(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
                                                     &BIO_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr),
                                                                &X509_free);
  REQUIRE(certificate);
  return fmt::format("{:08x}", X509_NAME_hash(X509_get_subject_name(certificate.get())));
}

}  // namespace

TEST_CASE("the link is upgraded when the server asks, the address says so or trust is configured", "[client][row4]") {
  const tls_files files;
  nats_server server(files.server());
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(server.port(), files);
    co_await connect_and_echo(options);
    options.servers = {"nats://localhost:" + std::to_string(server.port())};
    co_await connect_and_echo(options);
    options.tls = {};
    options.tls.verify = [](const certificate_info&) { return true; };
    co_await connect_and_echo(options);
  });
}

TEST_CASE("authorities come from a file or from memory", "[client][row7]") {
  const tls_files files;
  nats_server server(files.server());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(tls_url(server.port()));
    options.tls.ca.file = files.file("ca.pem");
    co_await connect_and_echo(options);
    options.tls.ca = {};
    options.tls.ca.text = test_authority("another").pem() + files.ca().pem();
    co_await connect_and_echo(options);
  });
}

TEST_CASE("a directory of authorities is looked up by hash at every attempt", "[client][row7][row8]") {
  const tls_files files;
  nats_server server(files.server());
  const auto directory = files.file("hashed");
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(tls_url(server.port()));
    options.tls.ca_directory = directory;
    const auto missing = co_await refused_connect(options);
    CHECK(missing.code == errc::tls_setup_failed);
    CHECK(says(missing.text, directory.string()));
    std::filesystem::create_directory(directory);
    const auto unknown = co_await refused_connect(options);
    CHECK(unknown.code == errc::certificate_refused);
    write_file(directory / (subject_hash(files.ca().pem()) + ".0"), files.ca().pem());
    co_await connect_and_echo(options);
    options.tls.ca_directory = files.file("ca.pem");
    const auto no_directory = co_await refused_connect(options);
    CHECK(no_directory.code == errc::tls_setup_failed);
    CHECK(says(no_directory.text, "is no directory"));
  });
}

TEST_CASE("a name or address the certificate does not hold is refused", "[client][row9]") {
  const tls_files files;
  files.serve({.names = {"nats.example.com"}});
  nats_server server(files.server());
  const auto* const host = GENERATE("localhost", "127.0.0.1");
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(server.port(), files);
    options.servers = {tls_url(server.port(), host)};
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::certificate_refused);
    CHECK(says(refused.text, host));
    CHECK(says(refused.text, "mismatch"));
  });
}

TEST_CASE("an address in the certificate is accepted as such", "[client][row9]") {
  const tls_files files;
  nats_server server(files.server());
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(server.port(), files);
    options.servers = {tls_url(server.port(), "127.0.0.1")};
    co_await connect_and_echo(options);
  });
}

TEST_CASE("the expected name can be given", "[client][row10]") {
  const tls_files files;
  files.serve({.names = {"nats.example.com"}});
  nats_server server(files.server());
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(server.port(), files);
    options.tls.expected_host = "nats.example.com";
    co_await connect_and_echo(options);
    options.tls.expected_host = "localhost";
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::certificate_refused);
  });
}

TEST_CASE("an expired certificate and an unknown authority are refused, each with its reason", "[client][row9]") {
  const tls_files files;
  const auto expired = GENERATE(true, false);
  if (expired) {
    auto request = tls_files::localhost();
    request.from = std::chrono::hours(-48);
    request.until = std::chrono::hours(-24);
    files.serve(request);
  } else {
    files.serve(test_authority("stranger").issue(tls_files::localhost()));
  }
  nats_server server(files.server());
  run([&]() -> asio::awaitable<void> {
    const auto options = tls_options_for(server.port(), files);
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::certificate_refused);
    CHECK(says(refused.text, expired ? "expired" : "unable to get local issuer"));
    const auto text = co_await text_of(connect(options));
    CHECK(says(text, "certificate"));
  });
}

TEST_CASE("the system's authorities are used unless others are given", "[client][row7]") {
  const tls_files files;
  nats_server server(files.server());
  run([&]() -> asio::awaitable<void> {
    const auto options = options_for(tls_url(server.port()));
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::certificate_refused);
  });
}

TEST_CASE("a server that asks for a client certificate gets it, or refuses", "[client][row6]") {
  const tls_files files;
  const auto own = files.ca().issue({.common_name = "client"});
  const auto locked = files.ca().issue({.common_name = "client", .key_password = "open sesame"});
  nats_server server(files.mutual());
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(server.port(), files);
    const auto missing = co_await refused_connect(options);
    CHECK(missing.code == errc::tls_failed);
    CHECK(says(missing.text, "certificate"));
    options.tls.certificate.text = own.certificate;
    options.tls.key.text = own.key;
    co_await connect_and_echo(options);
    options.tls.key = {};
    options.tls.certificate.file = files.put("both.pem", own.certificate + own.key);
    options.tls.certificate.text.clear();
    co_await connect_and_echo(options);
    options.tls.certificate.text = locked.certificate;
    options.tls.key.text = locked.key;
    options.tls.key_password = "open sesame";
    co_await connect_and_echo(options);
  });
}

TEST_CASE("what cannot be used is named, secrets are not", "[client][row6]") {
  const tls_files files;
  const auto own = files.ca().issue({.common_name = "client"});
  const auto other = files.ca().issue({.common_name = "other"});
  const auto locked = files.ca().issue({.common_name = "client", .key_password = "open sesame"});
  nats_server server(files.server());
  run([&]() -> asio::awaitable<void> {
    const auto good = tls_options_for(server.port(), files);
    auto options = good;
    options.tls.ca = {};
    options.tls.ca.file = "/no/such/ca.pem";
    auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::tls_setup_failed);
    CHECK(says(refused.text, "/no/such/ca.pem"));
    options.tls.ca = {};
    options.tls.ca.text = "not PEM";
    refused = co_await refused_connect(options);
    CHECK(refused.code == errc::tls_setup_failed);
    options = good;
    options.tls.certificate.text = own.certificate;
    options.tls.key.text = other.key;
    refused = co_await refused_connect(options);
    CHECK(refused.code == errc::tls_setup_failed);
    CHECK(says(refused.text, "key"));
    options.tls.certificate.text = locked.certificate;
    options.tls.key.text = locked.key;
    options.tls.key_password = "guess";
    refused = co_await refused_connect(options);
    CHECK(refused.code == errc::tls_setup_failed);
    CHECK_FALSE(says(refused.text, "guess"));
    CHECK_FALSE(says(refused.text, "BEGIN"));
    options = good;
    options.tls.ciphers = "NO-SUCH-CIPHER";
    refused = co_await refused_connect(options);
    CHECK(refused.code == errc::tls_setup_failed);
    CHECK(says(refused.text, "NO-SUCH-CIPHER"));
    options.tls.ciphers.clear();
    options.tls.cipher_suites = "NO_SUCH_SUITE";
    refused = co_await refused_connect(options);
    CHECK(refused.code == errc::tls_setup_failed);
  });
}

TEST_CASE("versions and ciphers are those asked for", "[client][row11][row12]") {
  const tls_files files;
  nats_server server(files.server());
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(server.port(), files);
    options.tls.max_version = tls_version::tls1_2;
    options.tls.ciphers = "ECDHE-ECDSA-AES128-GCM-SHA256";
    {
      connection nc = co_await connect(options);
      CHECK(tls_version_at(server) == "1.2");
      const auto page = server.monitor("/connz");
      CHECK(says(page, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"));
    }
    options = tls_options_for(server.port(), files);
    options.tls.min_version = tls_version::tls1_3;
    options.tls.cipher_suites = "TLS_CHACHA20_POLY1305_SHA256";
    {
      connection nc = co_await connect(options);
      CHECK(says(server.monitor("/connz?state=open"), "\"tls_version\": \"1.3\""));
      CHECK(says(server.monitor("/connz?state=open"), "TLS_CHACHA20_POLY1305_SHA256"));
    }
  });
}

TEST_CASE("a server that wants TLS 1.3 refuses a client that has 1.2 only", "[client][row12]") {
  const tls_files files;
  nats_server server(files.server("min_version: \"1.3\""));
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(server.port(), files);
    co_await connect_and_echo(options);
    options.tls.max_version = tls_version::tls1_2;
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::tls_failed);
    CHECK(says(refused.text, "version"));
  });
}

TEST_CASE("the user's check sees the certificate and decides", "[client][row13]") {
  const tls_files files;
  nats_server server(files.server());
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(server.port(), files);
    certificate_info seen;
    options.tls.verify = [&](const certificate_info& info) {
      seen = info;
      return info.trusted;
    };
    co_await connect_and_echo(options);
    CHECK(seen.trusted);
    CHECK(seen.host == "localhost");
    CHECK(seen.subject == "CN=test");
    CHECK(seen.issuer == "CN=compass_fabric test CA");
    CHECK(seen.names == std::vector<std::string>{"localhost", "127.0.0.1"});
    CHECK(seen.fingerprint.size() == 64);
    const auto pinned = seen.fingerprint;

    options.tls.ca = {};
    options.tls.verify = [&](const certificate_info& info) {
      seen = info;
      return info.fingerprint == pinned;
    };
    co_await connect_and_echo(options);
    CHECK_FALSE(seen.trusted);
    CHECK_FALSE(seen.reason.empty());

    options.tls.ca.text = files.ca().pem();
    options.tls.verify = [](const certificate_info&) { return false; };
    auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::certificate_refused);
    options.tls.verify = [](const certificate_info&) -> bool { throw std::runtime_error("broken check"); };
    refused = co_await refused_connect(options);
    CHECK(refused.code == errc::certificate_refused);
  });
}

TEST_CASE("leaving the check out is possible and never silent", "[client][row13]") {
  const tls_files files;
  files.serve(test_authority("stranger").issue({.names = {"nats.example.com"}}));
  nats_server server(files.server());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(tls_url(server.port()));
    options.tls.insecure_skip_verify = true;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    co_await nc.flush(5s);
    CHECK(events.count(event_kind::insecure_tls) == 1);
    server.restart();
    co_await until([&] { return events.has(event_kind::reconnected); });
    CHECK(events.count(event_kind::insecure_tls) == 2);
  });
}

TEST_CASE("options of TLS that contradict each other are refused before anything is sent", "[client][row4]") {
  run([]() -> asio::awaitable<void> {
    auto options = options_for("tls://127.0.0.1:1");
    options.tls.mode = tls_mode::disabled;
    auto code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
    options = options_for("nats://127.0.0.1:1");
    options.tls.min_version = tls_version::tls1_3;
    options.tls.max_version = tls_version::tls1_2;
    code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
    options.tls = {};
    options.tls.insecure_skip_verify = true;
    options.tls.verify = [](const certificate_info&) { return true; };
    code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
    options.tls = {};
    options.tls.key.text = "key";
    code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
  });
}
