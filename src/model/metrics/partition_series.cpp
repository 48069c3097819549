#include "model/metrics/partition_series.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

void partition_cell::append(const partition_cell& other) {
  load += other.load;
  loads += other.loads;
  age += other.age;
  ages += other.ages;
  age_max = std::max(age_max, other.age_max);
  placed += other.placed;
  conflicts += other.conflicts;
}

void partition_series::interval::append(const interval& later) {
  to = later.to;
  for (std::size_t c = 0; c < cells.size(); ++c)
    cells[c].append(later.cells[c]);
}

partition_series::partition_series(std::uint32_t partitions, std::size_t columns,
                                   std::size_t intervals)
  : partitions_(partitions), most_(intervals) {
  const auto most = static_cast<std::uint32_t>(std::max<std::size_t>(columns, 1));
  per_column_ = std::max<std::uint32_t>((partitions + most - 1) / most, 1);
}

partition_series::interval partition_series::seen_in(const live_sample& sample) const {
  interval seen{sample.from, sample.to, {}};
  seen.cells.resize((partitions_ + per_column_ - 1) / per_column_);
  for (const auto& owner : sample.owners)
    for (const auto& part : owner.partitions) {
      if (part.partition >= partitions_)
        continue;
      auto& cell = seen.cells[part.partition / per_column_];
      if (part.up > 0) {
        cell.load += dominant_share(part.used, part.capacity);
        ++cell.loads;
      }
      cell.placed += part.granted;
      for (auto n : part.refused)
        cell.conflicts += n;
    }
  for (const auto& scheduler : sample.schedulers) {
    const auto& ages = scheduler.details.ages_ms;
    const auto end = std::min<std::size_t>(ages.size(), partitions_);
    for (std::size_t p = 0; p < end;) {
      const auto last = std::min<std::size_t>(p + per_column_, end);
      auto& cell = seen.cells[p / per_column_];
      std::uint64_t sum = 0;
      std::uint16_t most = 0;
      cell.ages += last - p;
      for (; p < last; ++p) {
        sum += ages[p];
        most = std::max(most, ages[p]);
      }
      cell.age += static_cast<double>(sum) / 1e3;
      cell.age_max = std::max(cell.age_max, most / 1e3);
    }
  }
  return seen;
}

void partition_series::add(const live_sample& sample) {
  if (partitions_ == 0)
    return;
  auto seen = seen_in(sample);
  if (seen.to <= seen.from) {
    for (std::size_t c = 0; !rows_.empty() && c < seen.cells.size(); ++c) {
      rows_.back().cells[c].placed += seen.cells[c].placed;
      rows_.back().cells[c].conflicts += seen.cells[c].conflicts;
    }
    return;
  }
  if (!rows_.empty() && in_last_ < per_row_) {
    rows_.back().append(seen);
    ++in_last_;
    return;
  }
  if (rows_.size() == most_) {
    halve();
    if (in_last_ < per_row_) {
      rows_.back().append(seen);
      ++in_last_;
      return;
    }
  }
  rows_.push_back(std::move(seen));
  in_last_ = 1;
}

void partition_series::halve() {
  std::vector<interval> fewer;
  const bool odd = rows_.size() % 2 == 1;
  for (std::size_t i = 0; i < rows_.size(); i += 2) {
    auto row = std::move(rows_[i]);
    if (i + 1 < rows_.size())
      row.append(rows_[i + 1]);
    fewer.push_back(std::move(row));
  }
  if (!odd)
    in_last_ += per_row_;
  per_row_ *= 2;
  rows_ = std::move(fewer);
}

std::vector<partition_row> partition_series::rows() const {
  std::vector<partition_row> all;
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const auto first = static_cast<partition_id>(c * per_column_);
      const auto& cell = row.cells[c];
      if (cell.loads > 0 || cell.ages > 0 || cell.placed + cell.conflicts > 0)
        all.push_back({row.from, row.to, first, std::min(per_column_, partitions_ - first), cell});
    }
  return all;
}

} // namespace troupe
