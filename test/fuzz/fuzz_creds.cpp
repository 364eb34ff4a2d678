// SPDX-License-Identifier: Apache-2.0
// Any text can be read as a credentials file or a seed; what is accepted is a piece of it, and faults repeat nothing.
#include "proto/creds.hpp"
#include "proto/nkey.hpp"
#include "require.hpp"

#include <string>

using namespace compass_fabric::proto;
using compass_fabric::testing::require;

namespace {

bool is_part(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

void check_seed(std::string_view text) {
  std::string fault;
  const auto key = nkey_pair::from_seed(text, fault);
  require(key.has_value() == fault.empty());
  if (!key) return;
  require(is_public_nkey(key->public_key(), key->kind()));
  require(key->sign("nonce").size() == 64);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = compass_fabric::testing::as_text(data, size);
  std::string fault;
  const auto creds = parse_creds(text, fault);
  require(creds.has_value() == fault.empty());
  if (creds) {
    require(is_part(text, creds->jwt.view()) && is_part(text, creds->seed.view()));
    check_seed(creds->seed.view());
  }
  fault.clear();
  const auto seed = parse_seed_file(text, fault);
  require(seed.has_value() == fault.empty());
  if (seed) check_seed(seed->view());
  check_seed(text);
  is_public_nkey(text, nkey_kind::user);
  return 0;
}
