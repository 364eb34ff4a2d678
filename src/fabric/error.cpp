// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/fabric/error.hpp>

#include <string>

namespace compass_fabric::fabric {
namespace {

class category final : public boost::system::error_category {
 public:
  const char* name() const noexcept override { return "compass_fabric.fabric"; }
  std::string message(int value) const override { return to_string(static_cast<errc>(value)); }
};

}  // namespace

const boost::system::error_category& fabric_category() noexcept {
  static const category instance;
  return instance;
}

void throw_fault(const fault& f) { throw system_error(make_error_code(f.code), f.text); }

}  // namespace compass_fabric::fabric
