#include "experiments/sweeps/read_runs.hpp"

#include "experiments/expectations/expression.hpp"
#include "experiments/processes/limits.hpp"
#include "experiments/processes/run_skeletons.hpp"
#include "experiments/sweeps/combinations.hpp"
#include "experiments/sweeps/goal.hpp"
#include "settings/schema/varied_setting.hpp"
#include "settings/toml/key_path.hpp"
#include "settings/toml/read.hpp"
#include "settings/toml/reader.hpp"
#include "settings/toml/toml_text.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>

namespace troupe {

namespace {

constexpr const char* no_seed = "seeds = N instead, as the runs have seeds 1 to N";

/// Reads the table `vary`. Its values name runs, so not all of them will do.
std::vector<varied_setting> read_vary(const toml::node& node, const std::string& path,
                                      problems& found) {
  auto vary = read_varied_settings(node, path, found);
  for (const auto& setting : vary) {
    if (setting.key == "seed")
      found.wrong(key_path(path, setting.key), to_text(*node.as_table()->get(setting.key)),
                  no_seed);
    for (std::size_t i = 0; i < setting.values.size(); ++i)
      if (setting.values[i].text.find_first_of(forbidden_in_names) != std::string::npos)
        found.wrong(key_path(key_path(path, setting.key), std::to_string(i)),
                    setting.values[i].text,
                    "a value without any of " + std::string(forbidden_in_names));
  }
  return vary;
}

search_plan read_search(const toml::node& node, const std::string& path, problems& found) {
  search_plan plan;
  const auto* table = node.as_table();
  if (table == nullptr) {
    found.wrong(path, to_text(node), "a table with set, from, to and goal");
    return plan;
  }
  reader in(*table, path, found);
  in.field({"set", ""}, plan.set);
  in.field({"from", "", between(-1e15, 1e15)}, plan.from);
  in.field({"to", "", between(-1e15, 1e15)}, plan.to);
  in.field({"step", "", between(1, 1e15)}, plan.step);
  in.field({"goal", ""}, plan.goal);
  in.refuse_unknown();
  for (const char* needed : {"set", "from", "to", "goal"})
    if (!found.document_has(key_path(path, needed)))
      found.wrong(path, "without " + std::string(needed), "set, from, to and goal");
  if (plan.set == "seed")
    found.wrong(path + ".set", to_toml_value(plan.set), no_seed);
  if (plan.from > plan.to)
    found.wrong(path + ".to", std::to_string(plan.to),
                "at least from, " + std::to_string(plan.from));
  if (const auto fault = fault_of_goal(plan.goal); !fault.empty())
    found.wrong(path + ".goal", to_toml_value(plan.goal), fault);
  return plan;
}

/// Reports a goal that names a value that the run does not measure.
void check_goal(const planned_run& run, const std::string& path, problems& found) {
  run_skeletons measures;
  const expression goal(run.find->goal);
  for (const auto& r : goal.references())
    if (const auto fault = measures.fault_of(run, r.path); r.run.empty() && !fault.empty())
      found.wrong(path + ".find.goal", to_toml_value(r.path),
                  "a number that run '" + run.name + "' measures, but " + fault);
}

/// Reads the settings of a run, to report mistakes before anything starts.
void try_settings(const planned_run& run, const std::string& path, problems& found) {
  std::vector<std::vector<std::string>> tries{run.set};
  if (run.find) {
    tries.push_back(run.set);
    tries[0].push_back(run.find->set + "=" + std::to_string(run.find->from));
    tries[1].push_back(run.find->set + "=" + std::to_string(run.find->to));
  }
  for (const auto& overrides : tries) {
    try {
      read_settings(run.config, overrides);
    } catch (const settings_error& error) {
      found.wrong(path, "run '" + run.name + "'",
                  std::string("settings that can be used, but: ") + error.what());
    }
  }
}

} // namespace

void refuse_seed(const std::vector<std::string>& set, const std::string& path, problems& found) {
  for (std::size_t i = 0; i < set.size(); ++i)
    if (set[i].starts_with("seed="))
      found.wrong(key_path(path, std::to_string(i)), to_toml_value(set[i]), no_seed);
}

void read_runs(const document& from, const std::filesystem::path& base, std::uint64_t seeds,
               experiment& e, problems& found) {
  const auto* node = from.root().get("run");
  const auto* runs = node == nullptr ? nullptr : node->as_array();
  if (runs == nullptr || !runs->is_array_of_tables()) {
    found.wrong("run", node == nullptr ? "none" : to_text(*node), "at least one [[run]]");
    return;
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < runs->size(); ++i) {
    const auto path = "run." + std::to_string(i);
    const auto& table = *(*runs)[i].as_table();
    planned_run run{"", base, e.set, seeds};
    std::string config;
    std::vector<std::string> set;
    reader in(table, path, found);
    in.field({"name", ""}, run.name);
    in.field({"config", ""}, config);
    in.field({"set", ""}, set);
    refuse_seed(set, path + ".set", found);
    in.field({"seeds", "", between(1, max_seeds)}, run.seeds);
    for (const char* name : {"vary", "find"})
      in.know(name);
    in.refuse_unknown();
    if (is_refused_name(run.name))
      found.wrong(path + ".name", to_toml_value(run.name), names_text());
    else if (!names.insert(run.name).second)
      found.wrong(path + ".name", to_toml_value(run.name), "a name that no other run has");
    if (!config.empty())
      run.config = e.file.parent_path() / config;
    else if (base.empty())
      found.wrong(path, "run '" + run.name + "'",
                  "a config, as the experiment has no base for its runs");
    run.set.insert(run.set.end(), set.begin(), set.end());
    if (const auto* find = table.get("find"))
      run.find = read_search(*find, path + ".find", found);
    const auto* vary = table.get("vary");
    const auto before = e.runs.size();
    const auto varied =
      vary == nullptr ? std::vector<varied_setting>{} : read_vary(*vary, path + ".vary", found);
    found.throw_first();
    auto all = combinations(run, varied);
    std::ranges::move(all, std::back_inserter(e.runs));
    for (auto r = before; r < e.runs.size(); ++r)
      try_settings(e.runs[r], path, found);
    found.throw_first();
    for (auto r = before; r < e.runs.size(); ++r)
      if (e.runs[r].find)
        check_goal(e.runs[r], path, found);
    found.throw_first();
  }
}

} // namespace troupe
