#include "support/output_format.hpp"

#include "settings/schema/allowed.hpp"

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
  command
    .add_option_function<std::string>(
      "--format",
      [&format](const std::string& name) { format = choice_named<output_format>(name).value(); },
      one_of(names).to_text())
    ->check(CLI::IsMember{texts}.description(""))
    ->type_name("FORMAT");
}

} // namespace troupe
