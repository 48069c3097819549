#include "nodes/agent/incarnation_file.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

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

void keep_number(const std::filesystem::path& file, std::uint64_t number) {
  const auto fresh = file.string() + ".new";
  {
    std::ofstream out{fresh};
    out << number << '\n';
    if (!out.flush())
      throw std::runtime_error(fresh + ": cannot be written");
  }
  std::filesystem::rename(fresh, file);
}

} // namespace

incarnation_id next_incarnation(const std::filesystem::path& file) {
  return static_cast<incarnation_id>(rising_number(file, 1));
}

std::uint64_t rising_number(const std::filesystem::path& file, std::uint64_t by_clock) {
  const auto number = std::max(by_clock, last_number(file) + 1);
  keep_number(file, number);
  return number;
}

} // namespace troupe
