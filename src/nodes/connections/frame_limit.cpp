#include "nodes/connections/frame_limit.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Kinds of frames, from caf/io/basp/message_type.hpp.
enum frame_kind : unsigned char {
  server_handshake = 0,
  client_handshake = 1,
  routed_message = 3,
  monitor_message = 4,
  down_message = 5
};

} // namespace

frame_fault frame_limit::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    if (payload_left_ > 0) {
      const auto n = std::min<std::size_t>(payload_left_, bytes.size());
      const auto checked = std::min(n, ids_.size());
      if (bytes.substr(0, checked) != ids_.substr(0, checked))
        return frame_fault::foreign;
      ids_.remove_prefix(checked);
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
    if (const auto fault = begin_payload(); fault != frame_fault::none)
      return fault;
  }
  return frame_fault::none;
}

/// Call this when a header is complete.
frame_fault frame_limit::begin_payload() {
  header_bytes_ = 0;
  any_ = true;
  for (std::size_t i = 4; i < 8; ++i)
    payload_left_ = payload_left_ << 8 | header_[i];
  payload_ = payload_left_;
  longest_ = std::max(longest_, payload_);
  if (payload_left_ > limit_)
    return frame_fault::too_long;
  switch (header_[0]) {
  case server_handshake:
  case client_handshake:
    ids_ = sender_;
    break;
  case routed_message:
  case monitor_message:
  case down_message:
    ids_ = both_;
    break;
  default:
    ids_ = {};
  }
  return payload_left_ < ids_.size() ? frame_fault::foreign : frame_fault::none;
}

} // namespace troupe
