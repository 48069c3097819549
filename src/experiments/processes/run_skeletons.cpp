#include "experiments/processes/run_skeletons.hpp"

#include "experiments/compare/summary_skeleton.hpp"
#include "settings/toml/read.hpp"

namespace troupe {

std::string run_skeletons::fault_of(const planned_run& run, const std::string& path) {
  auto it = known_.find(run.name);
  if (it == known_.end()) {
    auto set = run.set;
    if (run.find)
      set.push_back(run.find->set + "=" + run.find->scale.text(run.find->to));
    it = known_.emplace(run.name, summary_skeleton(read_settings(run.config, set))).first;
  }
  return fault_of_path(it->second, path);
}

} // namespace troupe
