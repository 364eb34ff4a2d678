// SPDX-License-Identifier: Apache-2.0
// Small files with secrets.
#pragma once

#include <optional>
#include <string>

#include <compass_fabric/secret.hpp>

namespace compass_fabric::client {

/// The whole of a file of at most 64 KiB. Without success `fault` names the file and says why.
std::optional<secret> read_secret_file(const std::string& path, std::string& fault);

}  // namespace compass_fabric::client
