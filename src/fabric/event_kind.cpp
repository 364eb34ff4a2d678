// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/fabric/event_kind.hpp>

#include <string>

namespace compass_fabric::fabric {

fault unknown_kind_fault() {
  std::string text = "kind: not one of";
  for (const auto name : event_kind_names) text.append(" ").append(name);
  return {errc::unknown_kind, text};
}

}  // namespace compass_fabric::fabric
