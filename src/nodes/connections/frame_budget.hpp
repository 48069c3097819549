#pragma once

#include <algorithm>
#include <cstdint>

namespace troupe {

/// Limits the memory that all connections of a process may take together for messages that other
/// processes announce. CAF keeps the memory of the longest message of a connection until the
/// connection is closed. Each connection counts with the length of that message beyond
/// `free_share`. For one thread at a time.
class frame_budget {
public:
  static constexpr std::uint64_t free_share = std::uint64_t{256} << 10;

  explicit frame_budget(std::uint64_t limit) : limit_(limit) {}

  /// Call this when a connection has announced a message of `longest` bytes; `held` is its count so
  /// far (0 at first). Returns false, and changes nothing, if the limit would be exceeded.
  bool take(std::uint64_t& held, std::uint64_t longest) {
    const auto wanted = std::max(longest, free_share) - free_share;
    if (wanted <= held)
      return true;
    if (wanted - held > limit_ - used_)
      return false;
    used_ += wanted - held;
    held = wanted;
    return true;
  }

  /// Call this when the connection is closed.
  void give_back(std::uint64_t& held) {
    used_ -= held;
    held = 0;
  }

  std::uint64_t used() const { return used_; }

private:
  std::uint64_t limit_;
  std::uint64_t used_ = 0;
};

} // namespace troupe
