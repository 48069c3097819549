#include "model/protocol/fault.hpp"

#include "model/base/clock_text.hpp"

namespace troupe {

std::string target_of(const fault& f) {
  if (f.of_network())
    return f.a + " | " + f.b;
  const bool single = f.what == role::master || f.what == role::allocator;
  return to_string(f.what) + (single ? "" : "." + std::to_string(f.number));
}

std::string to_string(const fault& f) {
  auto text = to_string(f.kind) + ' ' + target_of(f);
  if (f.kind == fault_kind::loss)
    text += " of " + std::to_string(static_cast<int>(f.loss * 100 + 0.5)) + " %";
  if (f.kind == fault_kind::delay)
    text += " of " + to_string(f.delay);
  text += " from " + clock_text(f.from);
  return f.to == instant::max() ? text + " on" : text + " to " + clock_text(f.to);
}

} // namespace troupe
