#pragma once

#include "report/page/runs/marks.hpp"
#include "report/page/runs/run_folder.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Cells of all maps of a page at most, so that it stays below 3 MB.
inline constexpr std::size_t most_map_cells = 24'000;

/// Maps of the partitions of runs over time, with the values of each cell.
struct partition_maps {
  std::string html;            ///< empty if no run has partitions
  nlohmann::ordered_json data; ///< for the page's script: a list
};

/// Returns the maps of load, ages and conflicts, with the marks of each run that are not of
/// machines.
partition_maps partition_maps_of(std::span<const run_folder> runs,
                                 std::span<const std::vector<run_mark>> marks);

} // namespace troupe
