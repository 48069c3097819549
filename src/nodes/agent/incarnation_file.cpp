#include "nodes/agent/incarnation_file.hpp"

#include "security/files.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string>

namespace troupe {

namespace {

/// The number in the file; 0 if there is none.
std::uint64_t last_number(const std::filesystem::path& file) {
  std::uint64_t last = 0;
  if (std::ifstream in{file}; in && !(in >> last))
    throw std::runtime_error(file.string() + ": a number is expected, the last one that this node "
                                             "had; remove the file if it was damaged");
  return last;
}

} // namespace

incarnation_id next_incarnation(const std::filesystem::path& file) {
  return static_cast<incarnation_id>(rising_number(file, 1));
}

incarnation_id coming_incarnation(const std::filesystem::path& file) {
  return static_cast<incarnation_id>(last_number(file) + 1);
}

void take_back(const std::filesystem::path& file, std::uint64_t by_clock) {
  if (last_number(file) > by_clock)
    write_small_file(file, std::to_string(by_clock) + '\n', 0644, existing::replace);
}

std::uint64_t rising_number(const std::filesystem::path& file, std::uint64_t by_clock) {
  const auto number = std::max(by_clock, last_number(file) + 1);
  write_small_file(file, std::to_string(number) + '\n', 0644, existing::replace);
  return number;
}

} // namespace troupe
