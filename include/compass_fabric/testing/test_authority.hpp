// SPDX-License-Identifier: Apache-2.0
// Certificates made for one test: nothing to keep, nothing that expires in the repository.
//
//   test_authority ca("good CA");
//   const auto server = ca.issue({.names = {"localhost"}, .addresses = {"127.0.0.1"}});
//   write_file(dir.path() / "server.pem", server.certificate);
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace compass_fabric::testing {

/// A certificate and its key in PEM form.
struct issued_certificate {
  std::string certificate = {};
  std::string key = {};
};

/// What a certificate shall say.
struct certificate_request {
  std::string common_name = "test";
  /// DNS names and IP addresses it is valid for.
  std::vector<std::string> names = {};
  std::vector<std::string> addresses = {};
  /// Its life, counted from now.
  std::chrono::seconds from{-3600};
  std::chrono::seconds until{24 * 3600};
  /// Encrypts the key; empty = in the clear.
  std::string key_password = {};
};

/// A certificate authority of its own. Failures throw `std::runtime_error`.
class test_authority {
 public:
  explicit test_authority(const std::string& name);
  ~test_authority();
  test_authority(const test_authority&) = delete;
  test_authority& operator=(const test_authority&) = delete;

  /// Its own certificate, to be trusted.
  std::string pem() const;
  /// Valid for servers and for clients.
  issued_certificate issue(const certificate_request& request) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace compass_fabric::testing
