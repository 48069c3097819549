#include "experiments/read_runs.hpp"

#include "experiments/expression.hpp"
#include "experiments/limits.hpp"
#include "settings/key_path.hpp"
#include "settings/read.hpp"
#include "settings/reader.hpp"
#include "settings/toml_text.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace troupe {

namespace {

/// One of the values that a setting takes in turn.
struct choice {
  std::string assignment; ///< "key=value"
  std::string name;       ///< the value, as it stands in the name of the run
};

using choices_of_key = std::vector<choice>;

/// Reads the table `vary`, in the order in which it is written.
class variations {
public:
  explicit variations(problems& found) : problems_(&found) {}

  std::vector<choices_of_key> read(const toml::node& node, const std::string& path) {
    const auto* table = node.as_table();
    if (table == nullptr)
      problems_->wrong(path, to_text(node), "a table, as in { \"sync.gap\" = [\"1s\", \"2s\"] }");
    else
      walk(*table, path, "");
    std::ranges::stable_sort(found_, {}, &entry::at);
    std::vector<choices_of_key> all;
    for (auto& e : found_)
      all.push_back(std::move(e.choices));
    return all;
  }

private:
  struct entry {
    std::pair<std::uint32_t, std::uint32_t> at; ///< line and column
    choices_of_key choices;
  };

  void walk(const toml::table& table, const std::string& path, const std::string& key) {
    for (const auto& [name, value] : table) {
      const auto inner = key_path(key, name.str());
      const auto where = key_path(path, name.str());
      if (const auto* more = value.as_table())
        walk(*more, where, inner);
      else if (const auto* array = value.as_array(); array != nullptr && !array->empty())
        add(*array, where, inner);
      else
        problems_->wrong(where, to_text(value), "a list of values, as in [5, 10, 20]");
    }
  }

  void add(const toml::array& values, const std::string& path, const std::string& key) {
    const auto& begin = values.source().begin;
    entry e{{begin.line, begin.column}, {}};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto& value = values[i];
      const auto* text = value.as_string();
      if (value.is_table() || value.is_array())
        problems_->wrong(key_path(path, std::to_string(i)), to_text(value), "a number or a text");
      const auto name = text != nullptr ? text->get() : to_text(value);
      if (name.find_first_of(forbidden_in_names) != std::string::npos)
        problems_->wrong(key_path(path, std::to_string(i)), to_text(value),
                         "a value without any of " + std::string(forbidden_in_names));
      e.choices.push_back({key + "=" + (text != nullptr ? to_toml_value(name) : name), name});
    }
    found_.push_back(std::move(e));
  }

  problems* problems_;
  std::vector<entry> found_;
};

/// Adds to `runs` one run like `base` for each combination; the last setting changes fastest.
void expand(const planned_run& base, const std::vector<choices_of_key>& vary,
            std::vector<planned_run>& runs) {
  std::vector<std::size_t> at(vary.size(), 0);
  for (;;) {
    auto run = base;
    std::string values;
    for (std::size_t k = 0; k < vary.size(); ++k) {
      const auto& chosen = vary[k][at[k]];
      run.set.push_back(chosen.assignment);
      values += (k == 0 ? "" : ",") + chosen.name;
    }
    if (!vary.empty())
      run.name += "[" + values + "]";
    runs.push_back(std::move(run));
    auto k = vary.size();
    while (k > 0 && ++at[k - 1] == vary[k - 1].size())
      at[--k] = 0;
    if (k == 0)
      return;
  }
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
  if (plan.from > plan.to)
    found.wrong(path + ".to", std::to_string(plan.to),
                "at least from, " + std::to_string(plan.from));
  try {
    const expression goal(plan.goal);
    for (const auto& r : goal.references())
      if (!r.run.empty())
        found.wrong(path + ".goal", to_toml_value(plan.goal),
                    "values of the run itself, as in {scheduling_delay_s.mean}");
  } catch (const std::invalid_argument& error) {
    found.wrong(path + ".goal", to_toml_value(plan.goal), error.what());
  }
  return plan;
}

/// Reads the settings of a run, to find out what is wrong with them before anything starts.
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
    in.field({"seeds", "", between(1, max_seeds)}, run.seeds);
    for (const char* name : {"vary", "find"})
      in.know(name);
    in.refuse_unknown();
    if (run.name.empty() || run.name.find_first_of(forbidden_in_names) != std::string::npos)
      found.wrong(path + ".name", to_toml_value(run.name),
                  "a name without any of " + std::string(forbidden_in_names));
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
    expand(run,
           vary == nullptr ? std::vector<choices_of_key>{}
                           : variations(found).read(*vary, path + ".vary"),
           e.runs);
    found.throw_first();
    for (auto r = before; r < e.runs.size(); ++r)
      try_settings(e.runs[r], path, found);
    found.throw_first();
  }
}

} // namespace troupe
