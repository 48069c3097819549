#include "settings/checks/nearest_name.hpp"

#include <algorithm>
#include <vector>

namespace troupe {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto width = b.size() + 1;
  std::vector<std::size_t> d((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return d[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = i + j;
        continue;
      }
      const std::size_t differs = a[i - 1] == b[j - 1] ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j - 1) + differs, at(i - 1, j) + 1, at(i, j - 1) + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return at(a.size(), b.size());
}

} // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
  std::string_view nearest;
  auto least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (auto candidate : known)
    if (const auto distance = edit_distance(name, candidate); distance < least) {
      least = distance;
      nearest = candidate;
    }
  return nearest;
}

} // namespace troupe
