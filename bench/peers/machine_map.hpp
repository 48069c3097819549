#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace troupe::peers {

/// The machines of the bare model of ParSync, which never change. Each partition has a power of two
/// of places, so that a shift gives the partition of a machine; places without a machine have the
/// weight 0. The machines of a partition are in falling order of score.
struct machine_map {
  static constexpr std::uint32_t block_shift = 5; ///< sums are over blocks of 32 machines

  machine_map(std::uint32_t machines, std::uint32_t partition_count, double sigma,
              std::uint64_t seed)
    : partitions(partition_count),
      shift(static_cast<std::uint32_t>(std::countr_zero(std::bit_ceil(
        std::max((machines + partition_count - 1) / partition_count, 1U << block_shift))))),
      weight(std::size_t{partitions} << shift),
      score(weight.size()) {
    std::mt19937_64 random{seed};
    std::lognormal_distribution<double> draw{0, sigma};
    std::vector<double> scores(machines);
    for (auto& s : scores)
      s = draw(random);
    std::sort(scores.rbegin(), scores.rend());
    // Rows of machines are dealt in changing direction: all partitions have the same mix.
    for (std::uint32_t i = 0; i < machines; ++i) {
      const auto row = i / partitions;
      const auto column = i % partitions;
      const auto p = row % 2 == 0 ? column : partitions - 1 - column;
      const auto at = (p << shift) + row;
      weight[at] = std::max(
        1U, static_cast<std::uint32_t>(std::lround(scores[i] / scores[0] * greatest_weight)));
      score[at] = static_cast<float>(scores[i]);
    }
  }

  std::uint32_t places() const { return static_cast<std::uint32_t>(weight.size()); }
  std::uint32_t partition_of(std::uint32_t machine) const { return machine >> shift; }

  std::uint32_t partitions;
  std::uint32_t shift;               ///< of a machine's number to its partition's
  std::vector<std::uint32_t> weight; ///< the score as a whole number
  std::vector<float> score;

private:
  static constexpr double greatest_weight = 1 << 20;
};

} // namespace troupe::peers
