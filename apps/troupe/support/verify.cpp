#include "support/verify.hpp"

#include "commands/commands.hpp"
#include "report/json/parse_json.hpp"
#include "report/page/page.hpp"
#include "report/results/compare_results.hpp"
#include "report/results/results_format.hpp"
#include "settings/toml/print.hpp"
#include "support/execute.hpp"
#include "support/inputs.hpp"
#include "support/json_output.hpp"
#include "support/temporary_directory.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace troupe {

namespace fs = std::filesystem;

namespace {

void require_comparable(const fs::path& directory, const run_settings& settings) {
  const auto where = directory.string();
  if (settings.clock != clock_kind::virtual_time)
    throw usage_error{
      where +
      ": results of a run in real time; expected virtual time, where a second run gives the same"};
  const auto summary = read_json(directory / "summary.json");
  if (!summary.is_object())
    throw usage_error{where + ": no results to compare with: its summary.json cannot be read"};
  check_results_format(directory / "summary.json", summary);
  if (summary.value("interrupted", nlohmann::ordered_json{false}) == true)
    throw usage_error{where +
                      ": results of a run that was interrupted; expected those of a whole run"};
}

void report(const fs::path& directory, const std::vector<results_difference>& differences) {
  if (differences.empty())
    std::printf("%s: a second run gave the same results\n", directory.c_str());
  else
    std::printf("%s: a second run gave other results:\n", directory.c_str());
  for (const auto& difference : differences)
    std::printf("  %s\n", to_string(difference).c_str());
}

void print_differences(const fs::path& directory,
                       const std::vector<results_difference>& differences) {
  auto texts = nlohmann::ordered_json::array();
  for (const auto& difference : differences)
    texts.push_back(to_string(difference));
  print_json({{"directory", directory.string()},
              {"same", differences.empty()},
              {"differences", std::move(texts)}});
}

} // namespace

int verify(const fs::path& directory, bool quiet, bool as_json) {
  const auto settings = read_input({(directory / "config.toml").string(), {}});
  require_comparable(directory, settings);
  const temporary_directory again;
  auto target = open_results(again.path());
  const auto ended = run_watched(settings, target, quiet);
  const auto& results = ended.results;
  if (results.interrupted) {
    if (!as_json)
      std::printf("%s: interrupted, nothing was compared\n", directory.c_str());
    return exit_code_of(ended);
  }
  target.write(results, to_toml(settings));
  if (fs::exists(directory / results_directory::report_name))
    write_page(target.report(), contents_for({again.path()}));
  const auto differences = compare_results(directory, again.path());
  if (as_json)
    print_differences(directory, differences);
  else if (!quiet)
    report(directory, differences);
  return differences.empty() ? exit_code::done : exit_code::failed;
}

} // namespace troupe
