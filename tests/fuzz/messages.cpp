// Messages between members of two nodes. The first byte is the message's shape, the rest its
// content; with 255, the rest is taken as it comes. A message that is read is written as it was,
// and as often as one likes.
#include "fuzz/input.hpp"
#include "nodes/routing/envelope.hpp"

#include <caf/all.hpp>

#include <stdexcept>

using namespace troupe;

namespace {

/// Incarnations until the process ends: libFuzzer leaves by `exit`, amid threads of CAF's.
caf::actor_system& system() {
  static auto& config = *new caf::actor_system_config;
  static auto& one = *new caf::actor_system{config};
  return one;
}

std::string written(const envelope& p) {
  std::string out;
  fuzz::require(write_envelope(system(), out, p.to, p.from, p.id, p.content.content()) == p.shape,
                "a message that is read can be written");
  return out;
}

/// The head of an envelope with `size` bytes of content.
std::string head(std::size_t size, std::uint8_t shape) {
  std::string out(31, '\0');
  for (std::size_t i = 0; i < 4; ++i)
    out[i] = static_cast<char>(size >> (8 * i));
  out[4] = static_cast<char>(shape);
  return out;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::span<const std::uint8_t> in{data, size};
  const auto shape = fuzz::take_byte(in);
  const auto content = fuzz::text_of(in);
  const auto bytes = shape == 255 ? content : head(content.size(), shape) + content;
  try {
    envelope_reader reader{system(), bytes};
    while (const auto p = reader.next()) {
      const auto once = written(*p);
      envelope_reader again{system(), once};
      fuzz::require(written(*again.next()) == once, "a message that is written is read as it was");
    }
  } catch (const std::runtime_error&) {
  }
  return 0;
}
