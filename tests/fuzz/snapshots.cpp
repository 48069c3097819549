// Snapshots between nodes: cells as they are written, and bytes that nobody has written.
#include "fuzz/input.hpp"
#include "nodes/routing/snapshot_codec.hpp"

#include <stdexcept>
#include <vector>

using namespace troupe;

namespace {

std::vector<std::uint32_t> cells_of(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint32_t> cells(bytes.size() / 4);
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (std::size_t b = 0; b < 4; ++b)
      cells[i] |= std::uint32_t{bytes[4 * i + b]} << (8 * b);
  return cells;
}

constexpr std::size_t most_cells = 1'000;

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::span<const std::uint8_t> in{data, size};
  const std::size_t split = std::min<std::size_t>(fuzz::take_byte(in), in.size());
  const auto before = cells_of(in.first(split));
  const auto now = cells_of(in.subspan(split));
  fuzz::require(decode_changes(before, encode_changes(before, now), now.size()) == now,
                "what is encoded is decoded as the same");
  try {
    const auto found = decode_changes(before, fuzz::text_of(in.subspan(split)), most_cells);
    fuzz::require(found.size() <= most_cells, "no more than allowed is decoded");
  } catch (const std::runtime_error&) {
  }
  return 0;
}
