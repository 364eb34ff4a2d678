// SPDX-License-Identifier: Apache-2.0
// Credentials become the fields of CONNECT: files are read, seeds decoded, the nonce is signed.
#pragma once

#include <string>

#include <compass_fabric/credentials.hpp>

#include "proto/connect_writer.hpp"

namespace compass_fabric::client {

/// Adds what `how` asks for to `fields`; `nonce` is the server's. Returns false with `fault` saying what is wrong, with
/// the file's name and without secrets. Exceptions of a signer pass through.
bool add_login(proto::connect_fields& fields, const credentials& how, const std::string& nonce, std::string& fault);

}  // namespace compass_fabric::client
