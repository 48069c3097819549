#include "experiments/expectations/values_csv.hpp"

#include "experiments/sweeps/value_table.hpp"
#include "model/base/time.hpp"
#include "settings/toml/duration_text.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <string_view>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

std::string number_text(const json& value) {
  return value.is_number() ? fmt::format("{:.6g}", value.get<double>()) : std::string{};
}

/// Times become numbers of seconds; other texts stay.
std::string plain_value(std::string_view text) {
  try {
    return fmt::format("{}", to_seconds(parse_duration(text)));
  } catch (const std::invalid_argument&) {
    return std::string{text};
  }
}

struct run_name {
  std::string series;
  std::string x;
};

run_name split(std::string_view name) {
  const auto open = name.find('[');
  if (open == std::string_view::npos || !name.ends_with(']'))
    return {std::string{name}, ""};
  const auto values = name.substr(open + 1, name.size() - open - 2);
  return {std::string{name.substr(0, open)}, plain_value(values.substr(0, values.find(',')))};
}

} // namespace

std::string values_csv(const json& result) {
  value_table table{{"run", "series", "x", "found"}, {}};
  for (const auto& run : result.at("runs")) {
    const auto name = run.at("name").get<std::string>();
    const auto [series, x] = split(name);
    std::vector row{name, series, x, number_text(run.value("found", json{}))};
    for (const auto& value : run.at("values")) {
      if (table.rows.empty()) {
        const auto label = value.at("label").get<std::string>();
        table.header.push_back(label);
        table.header.push_back(label + " ±");
      }
      row.push_back(number_text(value.value("mean", json{})));
      row.push_back(number_text(value.value("half_width_95", json{})));
    }
    table.rows.push_back(std::move(row));
  }
  return table.to_csv();
}

} // namespace troupe
