#include "experiments/processes/run_store.hpp"

#include "experiments/compare/csv_json.hpp"
#include "report/json/parse_json.hpp"
#include "report/json/toml_json.hpp"
#include "report/results/results_directory.hpp"
#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"
#include "workload/formats/machine_table.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <isa-l/crc.h>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace troupe {

namespace {

namespace fs = std::filesystem;

using json = nlohmann::ordered_json;

constexpr const char* stamp_extension = ".stamp";

std::string text_in(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns the settings of a run as it writes them: with the number of machines of a trace, if they
/// come from one. Throws `std::runtime_error` if the settings or the trace cannot be read.
run_settings settings_of(const run_request& request) {
  auto overrides = request.set;
  overrides.push_back("seed=" + std::to_string(request.seed));
  auto settings = read_settings(request.config, overrides);
  auto& cluster = settings.cluster;
  if (!cluster.trace.file.empty())
    cluster.machines = static_cast<std::uint32_t>(read_machines(cluster.trace).machines.size());
  return settings;
}

} // namespace

run_store::run_store(fs::path directory, std::string program)
  : directory_(std::move(directory)), program_(std::move(program)) {}

fs::path run_store::folder_of(const run_request& request) const {
  return directory_ / request.folder;
}

fs::path run_store::stamp_of(const run_request& request) const {
  auto path = folder_of(request);
  path += stamp_extension;
  return path;
}

std::optional<run_reply> run_store::find(const run_request& request) const {
  if (text_in(stamp_of(request)) != program_)
    return std::nullopt;
  try {
    if (text_in(folder_of(request) / results_directory::config_name) !=
        to_toml(settings_of(request)))
      return std::nullopt;
  } catch (const std::runtime_error&) { // the run reports it
    return std::nullopt;
  }
  auto summary = load(request);
  if (!summary.is_object())
    return std::nullopt;
  return run_reply{.exit_code = 0, .errors = {}, .summary = std::move(summary)};
}

void run_store::clear(const run_request& request) const {
  std::error_code ignored;
  fs::remove(stamp_of(request), ignored);
  results_directory::clear(folder_of(request));
}

json run_store::load(const run_request& request) const {
  const auto folder = folder_of(request);
  auto summary = parse_json(text_in(folder / results_directory::summary_name));
  if (!summary.is_object())
    return nullptr;
  summary["config"] = json_of_toml(text_in(folder / results_directory::config_name));
  summary["series"] = json_of_csv(text_in(folder / results_directory::timeseries_name), "group");
  return summary;
}

void run_store::keep(const run_request& request) const {
  // A stamp is there as a whole or not at all, whenever the program is killed.
  const auto stamp = stamp_of(request);
  auto fresh = stamp;
  fresh += ".new";
  std::ofstream{fresh, std::ios::binary | std::ios::trunc} << program_;
  std::error_code ignored; // without a stamp, the run is repeated
  fs::rename(fresh, stamp, ignored);
}

void forget_runs(const fs::path& directory) {
  std::error_code none;
  std::vector<fs::path> stamps;
  for (fs::recursive_directory_iterator it(directory, none), end; !none && it != end;
       it.increment(none))
    if (it->path().extension() == stamp_extension && it->is_regular_file())
      stamps.push_back(it->path());
  for (const auto& stamp : stamps)
    fs::remove(stamp);
}

std::string identity_of_program(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::uint32_t sum = 0;
  std::uintmax_t size = 0;
  std::array<char, 1 << 16> part;
  while (in.read(part.data(), part.size()), in.gcount() > 0) {
    sum = ::crc32_gzip_refl(sum, reinterpret_cast<const unsigned char*>(part.data()),
                            static_cast<std::uint64_t>(in.gcount()));
    size += static_cast<std::uintmax_t>(in.gcount());
  }
  if (size == 0)
    throw std::runtime_error("cannot read the program " + file.string());
  return fmt::format("{} bytes, crc32 {:08x}\n", size, sum);
}

} // namespace troupe
