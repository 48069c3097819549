#include "experiments/expectations/read_experiment.hpp"

#include "experiments/expectations/read_expectations.hpp"
#include "experiments/expectations/read_figures.hpp"
#include "experiments/processes/limits.hpp"
#include "experiments/sweeps/read_runs.hpp"
#include "settings/toml/reader.hpp"
#include "settings/toml/toml_text.hpp"

namespace troupe {

experiment read_experiment(const std::filesystem::path& file, const std::vector<std::string>& set) {
  const auto from = document::load(file);
  problems found(from);
  experiment e;
  e.file = file;
  std::string base;
  std::uint64_t seeds = 1;
  reader in(from.root(), "", found);
  in.field({"name", ""}, e.name);
  in.field({"title", ""}, e.title);
  in.field({"about", ""}, e.about);
  in.field({"source", ""}, e.source);
  in.field({"beside", ""}, e.beside);
  in.field({"seeds", "", between(1, max_seeds)}, seeds);
  in.field({"base", ""}, base);
  in.field({"set", ""}, e.set);
  refuse_seed(e.set, "set", found);
  e.set.insert(e.set.begin(), set.begin(), set.end());
  for (const char* name : {"run", "expect", "column", "figure", "paper_line", "extends"})
    in.know(name);
  in.refuse_unknown();
  if (is_refused_name(e.name))
    found.wrong("name", to_toml_value(e.name), names_text());
  if (e.title.empty())
    e.title = e.name;
  found.throw_first();
  read_runs(from, base.empty() ? std::filesystem::path{} : file.parent_path() / base, seeds, e,
            found);
  read_expectations(from, e, found);
  read_figures(from, e, found);
  found.throw_first();
  return e;
}

} // namespace troupe
