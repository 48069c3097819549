#include "experiments/expectations/read_expectations.hpp"

#include "experiments/expectations/expression.hpp"
#include "experiments/processes/run_skeletons.hpp"
#include "experiments/sweeps/glob.hpp"
#include "settings/checks/nearest_name.hpp"
#include "settings/toml/key_path.hpp"
#include "settings/toml/reader.hpp"
#include "settings/toml/toml_text.hpp"

#include <stdexcept>

namespace troupe {

namespace {

constexpr double anything = 1e300;
constexpr std::string_view search_result = "found"; ///< what a search has found

/// Reads one [[expect]].
class expectation_reader {
public:
  expectation_reader(const toml::table& table, std::string path, const experiment& e,
                     run_skeletons& measures, problems& found)
    : table_(&table),
      path_(std::move(path)),
      experiment_(&e),
      measures_(&measures),
      problems_(&found) {}

  std::vector<expectation> read() {
    expectation e;
    std::string each;
    reader in(*table_, path_, *problems_);
    in.field({"says", ""}, e.says);
    in.field({"each", ""}, each);
    in.field({"slack", "", between(0, 1)}, e.slack);
    in.field({"tolerance", "", between(0, anything)}, e.tolerance);
    number(in, "min", -anything, e.min);
    number(in, "max", -anything, e.max);
    number(in, "within", 0, e.within);
    for (const char* name : {"value", "rising", "falling", "flat", "is", "paper"})
      in.know(name);
    in.refuse_unknown();
    if (e.says.empty())
      problems_->wrong(path_, "without says", "one sentence in says");
    e.paper = text_or_number("paper");
    e.is = text_or_number("is");
    read_values(e);
    check_bounds(e);
    problems_->throw_first();
    auto all = each.empty() ? std::vector{std::move(e)} : for_each_run(e, each);
    for (auto& one : all)
      check_expressions(one);
    return all;
  }

private:
  void number(reader& in, const char* name, double least, std::optional<double>& member) {
    double x = 0;
    in.field({name, "", between(least, anything)}, x);
    if (has(name))
      member = x;
  }

  bool has(const char* name) const { return table_->contains(name); }

  std::string text_or_number(const char* name) {
    const auto* node = table_->get(name);
    if (node == nullptr)
      return {};
    if (const auto* text = node->as_string())
      return text->get();
    if (!node->is_number())
      problems_->wrong(path_ + "." + name, to_text(*node), "a number or a text");
    return to_text(*node);
  }

  void read_values(expectation& e) {
    using shape = expectation::shape;
    constexpr std::pair<const char*, shape> lists[] = {
      {"rising", shape::rising}, {"falling", shape::falling}, {"flat", shape::flat}};
    int given = has("value") ? 1 : 0;
    if (has("value"))
      e.values = {text_or_number("value")};
    reader in(*table_, path_, *problems_);
    for (const auto& [name, kind] : lists) {
      if (!has(name))
        continue;
      ++given;
      e.kind = kind;
      std::vector<std::string> patterns;
      in.field({name, ""}, patterns);
      e.values.clear();
      for (const auto& pattern : patterns)
        add_matching(pattern, e.values);
      if (e.values.size() < 2)
        problems_->wrong(path_ + "." + name, std::to_string(e.values.size()) + " values",
                         "at least two");
    }
    if (given != 1)
      problems_->wrong(path_, std::to_string(given) + " of value, rising, falling and flat",
                       "exactly one of them");
  }

  void check_bounds(const expectation& e) {
    const bool bounds = e.min || e.max || e.within;
    if (e.kind == expectation::shape::bounded && !bounds)
      problems_->wrong(path_, "without bounds", "at least one of min, max and within");
    if (e.kind != expectation::shape::bounded && bounds)
      problems_->wrong(path_, "a trend with bounds", "either a value with bounds or a trend");
    if (e.min && e.max && *e.min > *e.max)
      problems_->wrong(path_ + ".max", to_toml_value(*e.max),
                       "at least min, " + to_toml_value(*e.min));
    if (e.kind == expectation::shape::flat && !has("tolerance"))
      problems_->wrong(path_, "flat without tolerance", "a tolerance, as in 0.1 of the mean");
    const auto* paper = table_->get("paper");
    if (e.within && e.is.empty() && !(paper != nullptr && paper->is_number()))
      problems_->wrong(path_ + ".within", to_toml_value(*e.within),
                       "something to be within: is, or a number in paper");
  }

  /// Adds `text` once for each run that the pattern in its references stands for.
  void add_matching(const std::string& text, std::vector<std::string>& values) {
    std::string pattern;
    try {
      const expression parsed(text);
      for (const auto& r : parsed.references())
        if (r.run.find('*') != std::string::npos)
          pattern = r.run;
    } catch (const std::invalid_argument& error) {
      problems_->wrong(path_, to_toml_value(text), error.what());
      return;
    }
    if (pattern.empty()) {
      values.push_back(text);
      return;
    }
    for (const auto& run : matching(pattern)) {
      auto one = text;
      for (auto at = one.find(pattern); at != std::string::npos; at = one.find(pattern, at))
        one.replace(at, pattern.size(), run);
      values.push_back(one);
    }
  }

  std::vector<expectation> for_each_run(const expectation& e, const std::string& pattern) {
    std::vector<expectation> all;
    for (const auto& run : matching(pattern)) {
      auto one = e;
      one.says += " (" + run + ")";
      for (auto& value : one.values)
        value = with_run(value, run);
      if (!one.is.empty())
        one.is = with_run(one.is, run);
      all.push_back(std::move(one));
    }
    return all;
  }

  std::vector<std::string> matching(const std::string& pattern) {
    std::vector<std::string> names;
    for (const auto& run : experiment_->runs)
      if (fits(pattern, run.name))
        names.push_back(run.name);
    if (names.empty())
      unknown_run(pattern);
    return names;
  }

  void check_expressions(const expectation& e) {
    auto all = e.values;
    if (!e.is.empty())
      all.push_back(e.is);
    for (const auto& text : all) {
      try {
        const expression parsed(text);
        for (const auto& r : parsed.references())
          check_reference(r, text);
      } catch (const std::invalid_argument& error) {
        problems_->wrong(path_, to_toml_value(text), error.what());
      }
    }
  }

  void check_reference(const value_reference& r, const std::string& text) {
    if (r.run.empty()) {
      problems_->wrong(path_, to_toml_value(text),
                       "the name of a run in {" + r.path + "}, as in {run: " + r.path + "}");
      return;
    }
    for (const auto& run : experiment_->runs)
      if (run.name == r.run) {
        if (r.path == search_result && !run.find)
          problems_->wrong(path_, to_toml_value(text),
                           "a run with find, and '" + r.run + "' has none");
        if (r.path != search_result)
          check_metric(run, r.path);
        return;
      }
    unknown_run(r.run);
  }

  void check_metric(const planned_run& run, const std::string& path) {
    if (const auto fault = measures_->fault_of(run, path); !fault.empty())
      problems_->wrong(key_path(path_, key_with(path)), to_toml_value(path),
                       "a number that run '" + run.name + "' measures, but " + fault);
  }

  /// The key whose value names a path.
  std::string key_with(const std::string& path) const {
    for (const char* key : {"value", "is", "rising", "falling", "flat"})
      if (has(key) && to_text(*table_->get(key)).find(path) != std::string::npos)
        return key;
    return "value";
  }

  void unknown_run(const std::string& name) {
    std::vector<std::string_view> known;
    for (const auto& run : experiment_->runs)
      known.push_back(run.name);
    const auto nearest = nearest_name(name, known);
    std::string expected = "the name of a run";
    if (!nearest.empty())
      expected += ", such as '" + std::string(nearest) + "'";
    problems_->wrong(path_, "run '" + name + "'", expected);
  }

  const toml::table* table_;
  std::string path_;
  const experiment* experiment_;
  run_skeletons* measures_;
  problems* problems_;
};

/// Reports a column whose value no run measures.
void check_column(const value_reference& shows, const std::string& path, const experiment& e,
                  run_skeletons& measures, problems& found) {
  std::string fault;
  for (const auto& run : e.runs)
    if (fault = measures.fault_of(run, shows.path); fault.empty())
      return;
  found.wrong(path + ".value", to_toml_value(shows.path),
              "a number that a run measures, but " + fault);
}

value_column read_column(const toml::table& table, const std::string& path, const experiment& e,
                         run_skeletons& measures, problems& found) {
  value_column c;
  reader in(table, path, found);
  in.field({"label", ""}, c.label);
  in.field({"value", ""}, c.value);
  in.refuse_unknown();
  if (c.label.empty() || c.value.empty())
    found.wrong(path, "without label or value", "both of them");
  try {
    const expression parsed(c.value);
    for (const auto& r : parsed.references())
      if (!r.run.empty())
        found.wrong(path + ".value", to_toml_value(c.value),
                    "values of the run of each row, as in {quality.mean}");
      else if (r.path != search_result)
        check_column(r, path, e, measures, found);
  } catch (const std::invalid_argument& error) {
    found.wrong(path + ".value", to_toml_value(c.value), error.what());
  }
  return c;
}

template <class Use>
void for_tables(const document& from, const std::string& name, problems& found, const Use& use) {
  const auto* node = from.root().get(name);
  if (node == nullptr)
    return;
  const auto* array = node->as_array();
  if (array == nullptr || !array->is_array_of_tables()) {
    found.wrong(name, to_text(*node), "an array of tables, as in [[" + name + "]]");
    return;
  }
  for (std::size_t i = 0; i < array->size(); ++i)
    use(*(*array)[i].as_table(), key_path(name, std::to_string(i)));
}

} // namespace

void read_expectations(const document& from, experiment& e, problems& found) {
  run_skeletons measures;
  for_tables(from, "column", found, [&](const toml::table& table, const std::string& path) {
    e.columns.push_back(read_column(table, path, e, measures, found));
  });
  for_tables(from, "expect", found, [&](const toml::table& table, const std::string& path) {
    for (auto& one : expectation_reader(table, path, e, measures, found).read())
      e.expectations.push_back(std::move(one));
  });
}

} // namespace troupe
