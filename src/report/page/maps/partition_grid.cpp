#include "report/page/maps/partition_grid.hpp"

#include "report/page/runs/thin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace troupe {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The values of some cells that become one.
class merged_cells {
public:
  void add(double x) {
    if (std::isnan(x))
      return;
    sum_ += x;
    most_ = std::max(most_, x);
    ++count_;
  }

  double mean() const { return count_ > 0 ? sum_ / count_ : unknown; }
  double most() const { return count_ > 0 ? most_ : unknown; }
  double sum() const { return count_ > 0 ? sum_ : unknown; }

private:
  double sum_ = 0;
  double most_ = 0;
  double count_ = 0;
};

/// Returns the numbers of some values in their order.
std::map<double, std::size_t> places_of_values(const std::vector<double>& values) {
  std::map<double, std::size_t> places;
  for (auto x : values)
    places.emplace(x, 0);
  std::size_t next = 0;
  for (auto& [value, place] : places)
    place = next++;
  return places;
}

struct named_values {
  const char* name;
  std::vector<double> partition_grid::*values;
};

constexpr named_values grid_values[] = {{"load", &partition_grid::load},
                                        {"age_mean_s", &partition_grid::age_mean},
                                        {"age_max_s", &partition_grid::age_max},
                                        {"placed", &partition_grid::placed},
                                        {"conflicts", &partition_grid::conflicts}};

} // namespace

std::vector<double> partition_grid::conflict_rate() const {
  auto rate = conflicts;
  for (std::size_t i = 0; i < rate.size(); ++i) {
    const auto t = i / first.size();
    rate[i] /= to[t] - from[t];
  }
  return rate;
}

partition_grid partition_grid::coarser(std::size_t intervals, std::size_t columns) const {
  partition_grid out;
  out.partitions = partitions;
  const auto across = buckets_of(first.size(), columns);
  for (const auto& part : across)
    out.first.push_back(first[part.first]);
  for (const auto& span : buckets_of(to.size(), intervals)) {
    out.from.push_back(from[span.first]);
    out.to.push_back(to[span.end - 1]);
    for (const auto& part : across)
      for (const auto& [name, values] : grid_values) {
        merged_cells all;
        for (auto t = span.first; t < span.end; ++t)
          for (auto p = part.first; p < part.end; ++p)
            all.add((this->*values)[t * first.size() + p]);
        (out.*values)
          .push_back(values == &partition_grid::age_max ? all.most()
                     : values == &partition_grid::placed || values == &partition_grid::conflicts
                       ? all.sum()
                       : all.mean());
      }
  }
  return out;
}

partition_grid partition_grid_of(const csv_columns& rows) {
  partition_grid grid;
  const auto& ends = rows.number("to_s");
  const auto& begins = rows.number("from_s");
  const auto& numbers = rows.number("partition");
  const auto& counts = rows.number("partitions");
  if (ends.size() != rows.rows || begins.size() != rows.rows || numbers.size() != rows.rows ||
      counts.size() != rows.rows)
    return grid;
  const auto times = places_of_values(ends);
  const auto columns = places_of_values(numbers);
  for (const auto& [end, place] : times)
    grid.to.push_back(end);
  for (const auto& [number, place] : columns)
    grid.first.push_back(number);
  grid.from.resize(grid.to.size());
  for (const auto& [name, values] : grid_values)
    (grid.*values).resize(grid.cells(), unknown);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto t = times.at(ends[i]);
    grid.from[t] = begins[i];
    grid.partitions = std::max(grid.partitions, numbers[i] + counts[i]);
    for (const auto& [name, values] : grid_values)
      if (const auto& column = rows.number(name); i < column.size())
        (grid.*values)[t * grid.first.size() + columns.at(numbers[i])] = column[i];
  }
  return grid;
}

} // namespace troupe
