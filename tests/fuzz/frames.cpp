// Frames between nodes: whatever the pieces in which bytes come, the same is refused.
#include "fuzz/input.hpp"
#include "nodes/frame_guard.hpp"

#include <algorithm>
#include <string>

using namespace troupe;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint32_t limit = 1U << 16;
  std::span<const std::uint8_t> in{data, size};
  const std::size_t piece = 1 + fuzz::take_byte(in);
  const auto bytes = fuzz::text_of(in);
  frame_guard whole{limit};
  const auto refused = whole.feed(bytes);
  fuzz::require(!refused || *refused > limit, "only frames over the limit are refused");
  frame_guard pieces{limit};
  std::optional<std::uint32_t> found;
  for (std::size_t at = 0; at < bytes.size() && !found; at += piece)
    found = pieces.feed(std::string_view{bytes}.substr(at, piece));
  fuzz::require(found == refused, "frames are told alike in pieces and as a whole");
  return 0;
}
