// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/container_network.hpp>

#include <atomic>
#include <exception>
#include <stdexcept>

#include <unistd.h>

#include "testing/docker.hpp"

namespace compass_fabric::testing {
namespace {

constexpr unsigned attempts = 64;
// The engine takes the first address for itself.
constexpr std::size_t first_host = 10;

// Test processes that run at once begin at different places; which subnets are taken only the engine knows.
std::string prefix_of(unsigned attempt) {
  const auto place = (static_cast<unsigned>(::getpid()) * 7 + attempt) % (32 * 256);
  return "10." + std::to_string(208 + place / 256) + "." + std::to_string(place % 256) + ".";
}

bool overlaps(const std::exception& e) { return std::string(e.what()).find("overlap") != std::string::npos; }

}  // namespace

container_network::container_network() {
  static std::atomic<int> count{0};
  remove_orphans();
  name_ = "compass_fabric_" + std::to_string(::getpid()) + "_net" + std::to_string(++count);
  for (unsigned attempt = 0; prefix_.empty(); ++attempt) {
    const auto candidate = prefix_of(attempt);
    try {
      docker({"network", "create", "--subnet", candidate + "0/24", "--label", owner_label(), name_});
      prefix_ = candidate;
    } catch (const std::exception& e) {
      if (!overlaps(e) || attempt + 1 == attempts) throw;
    }
  }
}

container_network::~container_network() {
  try {
    docker({"network", "rm", name_});
  } catch (const std::exception&) {  // a destructor has nobody to tell; the next test process removes orphans
  }
}

std::string container_network::address(std::size_t index) const {
  if (index >= size) throw std::out_of_range("container_network: no address " + std::to_string(index));
  return prefix_ + std::to_string(first_host + index);
}

}  // namespace compass_fabric::testing
