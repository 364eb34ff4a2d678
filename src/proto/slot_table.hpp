// SPDX-License-Identifier: Apache-2.0
// Objects under small integer keys that are never used twice: the subscriptions by sid and the requests by token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace compass_fabric::proto {

/// A key is `(generation << 20 | index) + 1`: lookup is one indexed load, and a key that was erased stays unknown, so a
/// late message for an ended subscription or request finds nobody. The first generation's keys are 1, 2, 3: the server
/// repeats a sid in every message, and short ones are read faster.
///
/// Holds pointers it does not own. At most 2^20 objects at a time.
template <class T>
class slot_table {
 public:
  static constexpr std::uint64_t max_objects = std::uint64_t{1} << 20;

  /// Registers `object` and returns its key, or 0 when the table is full. Keys are never 0.
  std::uint64_t insert(T* object) {
    if (free_head_ == none) {
      if (slots_.size() >= max_objects) return 0;
      slots_.push_back({});
      free_head_ = static_cast<std::uint32_t>(slots_.size() - 1);
    }
    slot& s = slots_[free_head_];
    const std::uint64_t key = (std::uint64_t{s.generation} << 20 | free_head_) + 1;
    free_head_ = s.next_free;
    s.object = object;
    s.next_free = none;
    ++size_;
    return key;
  }

  T* find(std::uint64_t key) const noexcept {
    const std::uint64_t index = index_of(key);
    if (index >= slots_.size()) return nullptr;
    const slot& s = slots_[index];
    return s.generation == (key - 1) >> 20 ? s.object : nullptr;
  }

  /// Forgets `key`; unknown keys are ignored.
  void erase(std::uint64_t key) noexcept {
    if (find(key) == nullptr) return;
    const auto index = static_cast<std::uint32_t>(index_of(key));
    slot& s = slots_[index];
    s.object = nullptr;
    --size_;
    if (++s.generation == 0) return;  // its keys are used up: it stays empty
    s.next_free = free_head_;
    free_head_ = index;
  }

  std::size_t size() const noexcept { return size_; }

  /// Calls `f(T&)` for each object; `f` may erase the object it is given, and no other.
  template <class F>
  void for_each(F&& f) {
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].object != nullptr) f(*slots_[i].object);
  }

 private:
  static std::uint64_t index_of(std::uint64_t key) noexcept { return (key - 1) & (max_objects - 1); }
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct slot {
    T* object = nullptr;
    std::uint32_t generation = 0;
    std::uint32_t next_free = none;
  };

  std::vector<slot> slots_;
  std::uint32_t free_head_ = none;
  std::size_t size_ = 0;
};

}  // namespace compass_fabric::proto
