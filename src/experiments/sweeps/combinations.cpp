#include "experiments/sweeps/combinations.hpp"

#include <utility>

namespace troupe {

std::vector<planned_run> combinations(const planned_run& base,
                                      std::span<const varied_setting> vary) {
  std::vector<planned_run> runs;
  for_each_combination(vary, [&](std::span<const varied_value* const> chosen) {
    auto run = base;
    std::string values;
    for (const auto* value : chosen) {
      run.set.push_back(value->assignment);
      values += (values.empty() ? "" : ",") + value->text;
    }
    if (!chosen.empty())
      run.name += "[" + values + "]";
    runs.push_back(std::move(run));
  });
  return runs;
}

} // namespace troupe
