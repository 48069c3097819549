#include "experiments/expectations/read_figures.hpp"

#include "experiments/expectations/expression.hpp"
#include "experiments/sweeps/glob.hpp"
#include "settings/checks/nearest_name.hpp"
#include "settings/toml/key_path.hpp"
#include "settings/toml/reader.hpp"
#include "settings/toml/toml_text.hpp"

#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

constexpr double any_number = 1e300;

/// Calls `use(table, path)` for each table of an array of tables, if it is there.
template <class Use>
void each_table(const toml::table& in, const std::string& path, const char* name, problems& found,
                Use use) {
  const auto* node = in.get(name);
  if (node == nullptr)
    return;
  const auto at = path.empty() ? std::string(name) : key_path(path, name);
  const auto* array = node->as_array();
  if (array == nullptr || !array->is_array_of_tables()) {
    found.wrong(at, to_text(*node), "an array of tables, as in [[" + at + "]]");
    return;
  }
  for (std::size_t i = 0; i < array->size(); ++i)
    use(*(*array)[i].as_table(), key_path(at, std::to_string(i)));
}

class figure_reader {
public:
  figure_reader(const experiment& e, problems& found) : experiment_(&e), problems_(&found) {}

  paper_line read_line(const toml::table& table, const std::string& path) {
    paper_line line;
    reader in(table, path, *problems_);
    in.field({"says", ""}, line.says);
    in.field({"run", ""}, line.run);
    in.field({"group", ""}, line.group);
    in.field({"column", ""}, line.column);
    in.field({"from", "", no_shorter_than(duration{0})}, line.from);
    in.field({"to", "", no_shorter_than(duration{0})}, line.to);
    in.field({"value", "", between(-any_number, any_number)}, line.value);
    in.refuse_unknown();
    if (line.says.empty() || line.column.empty() || !table.contains("value"))
      problems_->wrong(path, "without says, column or value", "all of them");
    check_run(line.run, path + ".run");
    return line;
  }

  paper_figure read_figure(const toml::table& table, const std::string& path) {
    paper_figure f;
    reader in(table, path, *problems_);
    in.field({"title", ""}, f.title);
    in.field({"x", ""}, f.x);
    in.field({"y", ""}, f.y);
    in.field({"x_axis", ""}, f.x_axis);
    in.field({"y_axis", ""}, f.y_axis);
    in.field({"x_log", ""}, f.x_log);
    in.field({"y_log", ""}, f.y_log);
    in.field({"model", ""}, f.model);
    in.field({"note", ""}, f.note);
    in.know("line");
    in.know("point");
    in.refuse_unknown();
    if (f.title.empty() || f.x.empty() || f.y.empty() || f.x_axis.empty() || f.y_axis.empty())
      problems_->wrong(path, "without title, x, y, x_axis or y_axis", "all of them");
    for (const auto& [name, text] : {std::pair{".x", f.x}, {".y", f.y}, {".model", f.model}})
      if (!text.empty())
        check_own(text, path + name);
    each_table(table, path, "line", *problems_, [&](const toml::table& t, const std::string& at) {
      paper_figure::line line;
      reader of(t, at, *problems_);
      of.field({"label", ""}, line.label);
      of.field({"runs", ""}, line.runs);
      of.refuse_unknown();
      if (line.label.empty() || line.runs.empty())
        problems_->wrong(at, "without label or runs", "both of them");
      for (const auto& pattern : line.runs)
        check_run(pattern, at + ".runs");
      f.lines.push_back(std::move(line));
    });
    each_table(table, path, "point", *problems_, [&](const toml::table& t, const std::string& at) {
      paper_point point;
      reader of(t, at, *problems_);
      of.field({"says", ""}, point.says);
      point.x = expression_or_number(of, t, at, "x");
      point.y = expression_or_number(of, t, at, "y");
      of.refuse_unknown();
      if (point.says.empty() || !t.contains("x") || !t.contains("y"))
        problems_->wrong(at, "without says, x or y", "all of them");
      f.points.push_back(std::move(point));
    });
    if (f.lines.empty())
      problems_->wrong(path, "without line", "at least one, as in [[figure.line]]");
    return f;
  }

private:
  void check_run(const std::string& pattern, const std::string& path) {
    std::vector<std::string_view> known;
    for (const auto& run : experiment_->runs) {
      if (fits(pattern, run.name))
        return;
      known.push_back(run.name);
    }
    const auto nearest = nearest_name(pattern, known);
    problems_->wrong(path, to_toml_value(pattern),
                     nearest.empty() ? "the name of a run"
                                     : "the name of a run, such as '" + std::string(nearest) + "'");
  }

  /// Checks an expression over the values of each run.
  void check_own(const std::string& text, const std::string& path) {
    try {
      const expression parsed(text);
      for (const auto& r : parsed.references())
        if (!r.run.empty())
          problems_->wrong(path, to_toml_value(text),
                           "values of the run of each point, as in {quality.mean}");
    } catch (const std::invalid_argument& error) {
      problems_->wrong(path, to_toml_value(text), error.what());
    }
  }

  /// Returns the text of an expression over values of runs; empty if the key is missing or wrong.
  std::string expression_or_number(reader& in, const toml::table& table, const std::string& path,
                                   const char* key) {
    in.know(key);
    const auto* node = table.get(key);
    if (node == nullptr)
      return "";
    if (node->is_number())
      return to_text(*node);
    const auto text = node->value<std::string>();
    if (!text) {
      problems_->wrong(key_path(path, key), to_text(*node), "a number or an expression");
      return "";
    }
    check_expression(*text, key_path(path, key));
    return *text;
  }

  void check_expression(const std::string& text, const std::string& path) {
    try {
      const expression parsed(text);
      for (const auto& r : parsed.references())
        check_run(r.run, path);
    } catch (const std::invalid_argument& error) {
      problems_->wrong(path, to_toml_value(text), error.what());
    }
  }

  const experiment* experiment_;
  problems* problems_;
};

} // namespace

void read_figures(const document& from, experiment& e, problems& found) {
  figure_reader with(e, found);
  each_table(from.root(), "", "paper_line", found,
             [&](const toml::table& table, const std::string& path) {
               e.paper_lines.push_back(with.read_line(table, path));
             });
  each_table(from.root(), "", "figure", found,
             [&](const toml::table& table, const std::string& path) {
               e.figures.push_back(with.read_figure(table, path));
             });
}

} // namespace troupe
