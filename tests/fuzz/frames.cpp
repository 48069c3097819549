// Frames between nodes: whatever the pieces in which bytes come, the same is refused.
#include "fuzz/input.hpp"
#include "nodes/connections/frame_limit.hpp"

#include <algorithm>
#include <string>

using namespace troupe;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint32_t limit = 1U << 16;
  std::span<const std::uint8_t> in{data, size};
  const auto first = fuzz::take_byte(in);
  const std::size_t piece = 1 + (first & 0x7F);
  const bool with_ids = (first & 0x80) != 0;
  const std::string sender = with_ids ? "ab" : "";
  const std::string receiver = with_ids ? "c" : "";
  const auto bytes = fuzz::text_of(in);
  frame_limit whole{limit, sender, receiver};
  const auto refused = whole.feed(bytes);
  fuzz::require((refused == frame_fault::too_long) == (whole.longest() > limit),
                "only frames over the limit are too long");
  fuzz::require(with_ids || refused != frame_fault::foreign, "without ids, none are looked at");
  frame_limit pieces{limit, sender, receiver};
  auto found = frame_fault::none;
  for (std::size_t at = 0; at < bytes.size() && found == frame_fault::none; at += piece)
    found = pieces.feed(std::string_view{bytes}.substr(at, piece));
  fuzz::require(found == refused, "frames are told alike in pieces and as a whole");
  fuzz::require(refused != frame_fault::none || pieces.incomplete(50) == whole.incomplete(50),
                "a frame is incomplete alike in pieces and as a whole");
  return 0;
}
