#include "support/output_format.hpp"

#include "settings/schema/allowed.hpp"
#include "support/option_hints.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace troupe {

void add_format_option(CLI::App& command, output_format& format,
                       std::span<const output_format> formats) {
  std::vector<std::string_view> names;
  for (const auto f : formats)
    names.push_back(name_of(f));
  const std::vector<std::string> texts(names.begin(), names.end());
  auto* option = command.add_option_function<std::string>(
    "--format",
    [&format](const std::string& name) { format = choice_named<output_format>(name).value(); },
    one_of(names).to_text());
  option->type_name("FORMAT");
  choose_from(option, texts);
  command.add_flag_callback(
    "--json", [&format] { format = output_format::json; },
    "The same as --format json; docs/json.md describes it");
}

} // namespace troupe
