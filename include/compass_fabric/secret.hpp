// SPDX-License-Identifier: Apache-2.0
// Text that must not outlive its use: passwords, tokens, seeds.
//
//   connect_options options;
//   options.password = read_password();   // the string it was moved from is overwritten
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace compass_fabric {

/// Overwrites the bytes of `text` with zeros, those of its unused capacity too, and empties it.
void wipe(std::string& text) noexcept;

/// A text whose memory is overwritten before it is given back. It cannot be printed; copies are secrets too.
class secret {
 public:
  secret() noexcept = default;
  secret(std::string_view text);
  secret(const char* text) : secret(std::string_view(text)) {}
  secret(const std::string& text) : secret(std::string_view(text)) {}
  /// Wipes `text`.
  secret(std::string&& text);
  secret(const secret& other) : secret(other.view()) {}
  secret(secret&& other) noexcept : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  secret& operator=(secret other) noexcept {
    data_.swap(other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~secret() { clear(); }

  /// The text itself; ends with the object or its next change.
  std::string_view view() const noexcept { return {data_.get(), size_}; }
  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  /// Wipes the text now.
  void clear() noexcept;

  friend bool operator==(const secret& a, const secret& b) noexcept { return a.view() == b.view(); }
  friend bool operator==(const secret& a, std::string_view b) noexcept { return a.view() == b; }
  friend bool operator==(const secret& a, const char* b) noexcept { return a.view() == b; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
};

}  // namespace compass_fabric
