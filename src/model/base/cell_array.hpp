#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace troupe {

/// An array of whole numbers that takes a byte for each while all of them are small. A scheduler
/// keeps and receives the free resources of every machine of the cluster, and machines of slots
/// have few of them: this reduces the bytes to copy, and to read for a sample of a machine, to a
/// quarter.
///
/// It becomes wide, of four bytes each, when it gets a number that is not small, and stays so until
/// it is assigned another array.
class cell_array {
public:
  cell_array() = default;
  cell_array(const std::vector<std::int32_t>& values); ///< small if all of them are
  cell_array(std::initializer_list<std::int32_t> values);

  std::size_t size() const { return wide_ ? words_.size() : bytes_.size(); }
  bool wide() const { return wide_; }

  std::int32_t operator[](std::size_t i) const { return wide_ ? words_[i] : bytes_[i]; }

  void set(std::size_t i, std::int32_t value) {
    if (!wide_ && is_small(value)) {
      bytes_[i] = static_cast<std::int8_t>(value);
    } else {
      widen();
      words_[i] = value;
    }
  }

  /// Returns what `look` returns for a pointer to the first number, which is of a byte or of four.
  template <class Look>
  decltype(auto) look(Look look) const {
    return wide_ ? look(words_.data()) : look(bytes_.data());
  }

  /// Adds numbers at the end.
  void append(const std::int32_t* from, std::size_t count);

  void prefetch(std::size_t i) const {
    look([i](const auto* first) { __builtin_prefetch(first + i, 1); });
  }

  std::vector<std::int32_t> values() const;

  /// Returns a copy in a buffer that `recycle` has kept, if there is one.
  cell_array copy() const;

  /// Keeps the buffer of an array that is not used any more, for copies.
  static void recycle(cell_array&& used);

  friend bool operator==(const cell_array& x, const cell_array& y) {
    return x.values() == y.values();
  }

private:
  static constexpr bool is_small(std::int32_t value) {
    return value == static_cast<std::int8_t>(value);
  }

  void widen() {
    if (!wide_)
      widen_all();
  }
  void widen_all();

  bool wide_ = false;
  std::vector<std::int8_t> bytes_;  ///< while not wide
  std::vector<std::int32_t> words_; ///< while wide
};

} // namespace troupe
