// SPDX-License-Identifier: Apache-2.0
#include "proto/creds.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace compass_fabric;
using namespace compass_fabric::proto;

namespace {

const std::string jwt_block = "-----BEGIN NATS USER JWT-----\neyJh.eyJi.c2ln\n------END NATS USER JWT------\n";
const std::string seed_block = "-----BEGIN USER NKEY SEED-----\nSUSEED\n------END USER NKEY SEED------\n";

void check_good(std::string_view text) {
  std::string fault;
  const auto creds = parse_creds(text, fault);
  INFO(fault);
  REQUIRE(creds);
  CHECK(creds->jwt == "eyJh.eyJi.c2ln");
  CHECK(creds->seed == "SUSEED");
}

std::string fault_of(std::string_view text) {
  std::string fault;
  CHECK_FALSE(parse_creds(text, fault));
  CHECK(fault.find("eyJ") == std::string::npos);
  CHECK(fault.find("SUSEED") == std::string::npos);
  return fault;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace

TEST_CASE("C013 a credentials file may have CRLF, blanks, text between blocks, and no last line end",
          "[creds][row28]") {
  const std::string whole = jwt_block + "\n*** keep it secret - really ---\n\n" + seed_block;
  check_good(whole);
  check_good(replaced(whole, "\n", "\r\n"));
  check_good(replaced(whole, "\n", "  \t\r\n \t"));
  check_good(replaced(whole, "\n", "\n\n"));
  check_good(whole.substr(0, whole.size() - 1));
  check_good("# comment\n" + whole + "\n-----BEGIN MORE-----\nx\n---END\n");
}

TEST_CASE("what a credentials file lacks is said without repeating what it holds", "[creds]") {
  CHECK(fault_of("") == "no JWT block");
  CHECK(fault_of("eyJh.eyJi.c2ln\nSUSEED\n") == "no JWT block");
  CHECK(fault_of(jwt_block) == "no seed block");
  CHECK(fault_of(seed_block + jwt_block) == "the first block is not a JWT");
  CHECK(fault_of(jwt_block + jwt_block) == "the second block is not a seed");
  CHECK(fault_of(replaced(jwt_block, "eyJh.eyJi.c2ln\n", "") + seed_block) == "the JWT block must hold one line");
  CHECK(fault_of(jwt_block + replaced(seed_block, "SUSEED", "SUSEED\nSUSEED")) == "the seed block must hold one line");
  CHECK(fault_of(jwt_block + "-----BEGIN USER NKEY SEED-----\nSUSEED\n") == "no seed block");
}

TEST_CASE("a seed file is a line, a block, or a credentials file", "[creds][row27]") {
  const std::string files[] = {"SUSEED", " SUSEED\r\n", "# my key\n\nSUSEED\n", seed_block, jwt_block + seed_block};
  for (const auto& text : files) {
    std::string fault;
    const auto seed = parse_seed_file(text, fault);
    REQUIRE(seed);
    CHECK(*seed == "SUSEED");
  }
  for (const auto& text : {std::string(), std::string("UABC\n"), jwt_block}) {
    std::string fault;
    CHECK_FALSE(parse_seed_file(text, fault));
    CHECK(fault == "no line with a seed");
  }
}

TEST_CASE("a secret is wiped, copied and compared as a value", "[secret]") {
  std::string source = "a long enough secret to live on the heap";
  const char* const bytes = source.data();
  secret taken(std::move(source));
  CHECK(source.empty());  // NOLINT(bugprone-use-after-move): that is the point
  CHECK(bytes[0] == '\0');
  CHECK(bytes[10] == '\0');
  const secret copy = taken;
  CHECK(copy == taken);
  const secret moved = std::move(taken);
  CHECK(taken.empty());  // NOLINT(bugprone-use-after-move)
  CHECK(moved == copy);
  secret emptied = moved;
  emptied.clear();
  CHECK(emptied == "");
  CHECK(emptied == secret());
}
