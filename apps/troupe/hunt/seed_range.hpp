#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Seeds from `first` to `last`.
struct seed_range {
  std::uint64_t first = 1;
  std::uint64_t last = 1;
};

/// Parses "7" and "1..100". Returns whether `text` has this form.
bool read_seeds(std::string_view text, seed_range& into);

/// Returns the mistake in `text` as a range of seeds, or nothing.
std::string check_seeds(const std::string& text);

} // namespace troupe
