#include "failures/second_counts.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace troupe::trials {

namespace {

struct second_count {
  double from_s = 0;
  double to_s = 0;
  std::uint64_t submitted = 0;
  std::uint64_t placed = 0;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in{line};
  for (std::string cell; std::getline(in, cell, ',');)
    cells.push_back(cell);
  return cells;
}

} // namespace

std::uint64_t slowest_second(const std::filesystem::path& timeseries, double from_s) {
  std::ifstream in{timeseries};
  std::string line;
  std::getline(in, line);
  const auto names = cells_of(line);
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  const auto from = column("from_s");
  const auto to = column("to_s");
  const auto submitted = column("submitted");
  const auto placed = column("placed");
  std::map<double, second_count> seconds; // sums over groups
  while (std::getline(in, line)) {
    const auto cells = cells_of(line);
    if (cells.size() <= std::max({from, to, submitted, placed}))
      continue;
    auto& at = seconds[std::stod(cells[from])];
    at.from_s = std::stod(cells[from]);
    at.to_s = std::stod(cells[to]);
    at.submitted += std::stoull(cells[submitted]);
    at.placed += std::stoull(cells[placed]);
  }
  std::optional<double> least;
  for (const auto& [_, s] : seconds)
    if (s.from_s >= from_s && s.submitted > 0 && s.to_s - s.from_s > 0.5)
      least = std::min(least.value_or(1e18), static_cast<double>(s.placed) / (s.to_s - s.from_s));
  return static_cast<std::uint64_t>(least.value_or(0));
}

} // namespace troupe::trials
