#include "experiments/compare/summary_path.hpp"

#include "experiments/compare/statistics.hpp"
#include "experiments/expectations/value_error.hpp"
#include "model/base/time.hpp"
#include "settings/checks/nearest_name.hpp"
#include "settings/toml/duration_text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

std::string_view next_part(std::string_view& rest) {
  const auto dot = rest.find('.');
  const auto part = rest.substr(0, dot);
  rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
  return part;
}

std::optional<std::size_t> as_count(std::string_view text) {
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return n;
}

/// Returns a position counted from 1.
std::optional<std::size_t> as_position(std::string_view text) {
  const auto n = as_count(text);
  return n == std::size_t{0} ? std::nullopt : n;
}

bool says(const json& row, const char* key, std::string_view text) {
  return row.is_object() && row.contains(key) && row[key].is_string() &&
         row[key].get_ref<const std::string&>() == text;
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names)
    out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "nothing" : out;
}

/// Walks down a summary and remembers where it is, for messages.
class walk {
public:
  walk(const json& from, std::string_view path) : at_(&from), path_(path), rest_(path) {}

  double number() {
    const auto found = number_if_any();
    if (!found)
      refuse("nothing was measured there (null)");
    return *found;
  }

  std::optional<double> number_if_any() {
    while (!rest_.empty())
      step(next_part(rest_));
    if (at_->is_number())
      return at_->get<double>();
    if (at_->is_boolean())
      return at_->get<bool>() ? 1 : 0;
    if (at_->is_null())
      return std::nullopt;
    if (at_->is_string())
      return seconds();
    refuse("that is a table or a list; name a number in it");
  }

private:
  void step(std::string_view part) {
    if (at_->is_object())
      into_table(part);
    else if (has_times() && last_ == "phases")
      into_phase(part);
    else if (has_times() && last_ == "series")
      into_interval(part);
    else if (at_->is_array())
      into_list(part);
    else
      refuse("there is nothing below '" + last_ + "'");
    last_ = part;
  }

  /// Returns whether this is a list of what was measured from one instant to another.
  bool has_times() const {
    return at_->is_array() && !at_->empty() && at_->front().is_object() &&
           at_->front().contains("from_s") && at_->front().contains("group");
  }

  void into_table(std::string_view part) {
    const auto found = at_->find(std::string(part));
    if (found == at_->end()) {
      std::vector<std::string> names;
      for (const auto& [name, _] : at_->items())
        names.push_back(name);
      const std::vector<std::string_view> known(names.begin(), names.end());
      const auto nearest = nearest_name(part, known);
      refuse("there is no '" + std::string(part) + "'; " +
             (nearest.empty() ? "there are " + listed(names)
                              : "did you mean '" + std::string(nearest) + "'?"));
    }
    at_ = &*found;
  }

  void into_list(std::string_view part) {
    for (const auto& row : *at_)
      if (says(row, "name", part)) {
        at_ = &row;
        return;
      }
    const auto position = as_position(part);
    if (!position || *position > at_->size())
      refuse("the list has " + std::to_string(at_->size()) + " elements, and none is '" +
             std::string(part) + "'");
    at_ = &(*at_)[*position - 1];
  }

  /// The rows of phases are one for each phase and group.
  void into_phase(std::string_view part) {
    const auto position = as_position(part);
    std::vector<const json*> rows;
    std::size_t phase = 0;
    const json* before = nullptr;
    for (const auto& row : *at_) {
      if (before == nullptr || row["from_s"] != (*before)["from_s"])
        ++phase;
      before = &row;
      if (position && phase == *position)
        rows.push_back(&row);
    }
    if (rows.empty())
      refuse("the run has " + std::to_string(phase) + " phases, counted from 1, and no '" +
             std::string(part) + "'");
    into_group(rows);
  }

  void into_interval(std::string_view part) {
    if (const auto dash = part.find('-'); dash != std::string_view::npos) {
      into_stretch(part, as_count(part.substr(0, dash)), as_count(part.substr(dash + 1)));
      return;
    }
    const auto second = as_count(part);
    std::vector<const json*> rows;
    for (const auto& row : *at_)
      if (second && row["from_s"] <= *second && *second < row["to_s"])
        rows.push_back(&row);
    if (rows.empty())
      refuse("there is no interval with second '" + std::string(part) + "' in timeseries.csv");
    into_group(rows);
  }

  /// Puts the intervals that begin in a stretch of time together: from there on, the path goes on
  /// with the group, the column and what to know of its values.
  void into_stretch(std::string_view part, std::optional<std::size_t> from,
                    std::optional<std::size_t> to) {
    std::vector<double> values;
    auto after = rest_;
    const auto group = next_part(after);
    const bool named =
      std::ranges::any_of(*at_, [&](const json& r) { return says(r, "group", group); });
    if (named)
      rest_ = after;
    const std::string column(next_part(rest_));
    for (const auto& row : *at_) {
      const bool inside = from && to && row["from_s"] >= *from && row["from_s"] <= *to;
      if (!inside || (named && !says(row, "group", group)))
        continue;
      if (!row.contains(column) || !row[column].is_number())
        refuse("there is no number in column '" + column + "' at " + row["from_s"].dump() + " s");
      values.push_back(row[column].get<double>());
    }
    if (values.empty())
      refuse("there is no interval in '" + std::string(part) + "' in timeseries.csv");
    const auto all = estimate_of(values);
    stretch_ = {{"mean", all.mean},
                {"stddev", all.stddev},
                {"min", std::ranges::min(values)},
                {"max", std::ranges::max(values)}};
    at_ = &stretch_;
  }

  /// Goes on with the row of the group that the path names next, or with the only one.
  void into_group(const std::vector<const json*>& rows) {
    auto after = rest_;
    const auto group = next_part(after);
    for (const auto* row : rows)
      if (says(*row, "group", group)) {
        rest_ = after;
        at_ = row;
        return;
      }
    std::vector<std::string> groups;
    for (const auto* row : rows)
      groups.push_back((*row)["group"].get<std::string>());
    if (rows.size() > 1)
      refuse("there are the groups " + listed(groups) + "; name one of them");
    at_ = rows.front();
  }

  double seconds() const {
    try {
      return to_seconds(parse_duration(at_->get_ref<const std::string&>()));
    } catch (const std::invalid_argument&) {
      refuse("that is the text " + at_->dump());
    }
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw value_error(std::string(path_) + ": " + why);
  }

  const json* at_;
  json stretch_;
  std::string_view path_;
  std::string_view rest_;
  std::string last_;
};

} // namespace

double value_at(const nlohmann::ordered_json& summary, std::string_view path) {
  return walk(summary, path).number();
}

std::optional<double> find_value(const nlohmann::ordered_json& summary, std::string_view path) {
  return walk(summary, path).number_if_any();
}

} // namespace troupe
