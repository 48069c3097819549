#pragma once

#include "experiments/expectations/experiment.hpp"
#include "settings/schema/varied_setting.hpp"

#include <span>
#include <vector>

namespace troupe {

/// Returns one run like `base` for each combination of the values of `vary`, named by the values,
/// as in "name[500ms,5]"; the last setting changes fastest. Without settings there is one run,
/// `base`.
std::vector<planned_run> combinations(const planned_run& base,
                                      std::span<const varied_setting> vary);

/// Calls `use` with the values of each combination, in the same order.
template <class Function>
void for_each_combination(std::span<const varied_setting> vary, const Function& use) {
  std::vector<std::size_t> at(vary.size(), 0);
  for (;;) {
    std::vector<const varied_value*> chosen;
    for (std::size_t k = 0; k < vary.size(); ++k)
      chosen.push_back(&vary[k].values[at[k]]);
    use(std::span<const varied_value* const>(chosen));
    auto k = vary.size();
    while (k > 0 && ++at[k - 1] == vary[k - 1].values.size())
      at[--k] = 0;
    if (k == 0)
      return;
  }
}

} // namespace troupe
