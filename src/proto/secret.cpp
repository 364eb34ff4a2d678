// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/secret.hpp>

#include <openssl/crypto.h>

#include <algorithm>

namespace compass_fabric {

void wipe(std::string& text) noexcept {
  text.resize(text.capacity());
  OPENSSL_cleanse(text.data(), text.size());
  text.clear();
}

secret::secret(std::string_view text) : data_(text.empty() ? nullptr : new char[text.size()]), size_(text.size()) {
  std::copy(text.begin(), text.end(), data_.get());
}

secret::secret(std::string&& text) : secret(std::string_view(text)) { wipe(text); }

void secret::clear() noexcept {
  if (size_ != 0) OPENSSL_cleanse(data_.get(), size_);
  data_.reset();
  size_ = 0;
}

}  // namespace compass_fabric
