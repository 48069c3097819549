#include "nodes/frame_guard.hpp"

#include <algorithm>

namespace troupe {

std::optional<std::uint32_t> frame_guard::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    if (payload_left_ > 0) {
      const auto n = std::min<std::size_t>(payload_left_, bytes.size());
      payload_left_ -= static_cast<std::uint32_t>(n);
      bytes.remove_prefix(n);
      continue;
    }
    const auto n = std::min(header_size - header_bytes_, bytes.size());
    std::ranges::copy(bytes.substr(0, n), header_.begin() + static_cast<long>(header_bytes_));
    header_bytes_ += n;
    bytes.remove_prefix(n);
    if (header_bytes_ < header_size)
      break;
    header_bytes_ = 0;
    any_ = true;
    for (std::size_t i = 4; i < 8; ++i)
      payload_left_ = payload_left_ << 8 | header_[i];
    longest_ = std::max(longest_, payload_left_);
    if (payload_left_ > limit_)
      return payload_left_;
  }
  return std::nullopt;
}

} // namespace troupe
