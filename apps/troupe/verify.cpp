#include "verify.hpp"

#include "commands.hpp"
#include "execute.hpp"
#include "inputs.hpp"
#include "report/compare_results.hpp"
#include "settings/print.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace troupe {

namespace fs = std::filesystem;

namespace {

/// A directory for results that nobody keeps.
class temporary_directory {
public:
  temporary_directory() : path_{(fs::temp_directory_path() / "troupe-verify-XXXXXX").string()} {
    if (!mkdtemp(path_.data()))
      throw std::runtime_error{"cannot create a directory like " + path_};
  }
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  ~temporary_directory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  fs::path path() const { return path_; }

private:
  std::string path_;
};

void require_comparable(const fs::path& directory, const run_settings& settings) {
  const auto where = directory.string();
  if (settings.clock != "virtual")
    throw usage_error{where + ": results of a run in real time; no second run gives the same"};
  std::ifstream file{directory / "summary.json"};
  const auto summary = nlohmann::json::parse(file, nullptr, false);
  if (!summary.is_object())
    throw usage_error{where + ": no results to compare with: its summary.json cannot be read"};
  if (summary.value("interrupted", nlohmann::json{false}) == true)
    throw usage_error{where + ": results of a run that was interrupted; a whole one ends later"};
}

void report(const fs::path& directory, const std::vector<results_difference>& differences) {
  if (differences.empty())
    std::printf("%s: a second run gave the same results\n", directory.c_str());
  else
    std::printf("%s: a second run gave other results:\n", directory.c_str());
  for (const auto& difference : differences)
    std::printf("  %s\n", to_string(difference).c_str());
}

} // namespace

int verify(const fs::path& directory, bool quiet) {
  const auto settings = read_input({(directory / "config.toml").string(), {}});
  require_comparable(directory, settings);
  const temporary_directory again;
  auto target = open_results(again.path());
  const auto results = run_watched(settings, quiet);
  if (results.interrupted) {
    std::printf("%s: interrupted, nothing was compared\n", directory.c_str());
    return exit_code_of(results);
  }
  target.write(results, to_toml(settings));
  const auto differences = compare_results(directory, again.path());
  if (!quiet)
    report(directory, differences);
  return differences.empty() ? exit_code::done : exit_code::failed;
}

} // namespace troupe
