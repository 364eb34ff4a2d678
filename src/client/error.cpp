// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/error.hpp>

#include <string>

namespace compass_fabric {

namespace {

class nats_category_type final : public boost::system::error_category {
 public:
  const char* name() const noexcept override { return "compass_fabric.nats"; }
  std::string message(int value) const override { return to_string(static_cast<errc>(value)); }
};

}  // namespace

const boost::system::error_category& nats_category() noexcept {
  static const nats_category_type category;
  return category;
}

// Without the place in Asio's headers that a code may carry: it tells a user nothing.
void throw_error(error_code code, std::string_view where) {
  throw system_error(error_code(code.value(), code.category()), std::string(where));
}

}  // namespace compass_fabric
