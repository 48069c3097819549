#pragma once

#include "settings/checks/problems.hpp"
#include "settings/schema/field_info.hpp"
#include "settings/schema/varied_setting.hpp"
#include "settings/toml/document.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// The table [sweep] of a settings file, which defines the runs of `troupe sweep`. A single run
/// ignores it.
struct sweep_settings {
  std::uint64_t seeds = 5;
  std::uint64_t jobs = 0;           ///< 0: one for each core
  std::vector<std::string> metrics; ///< none: the default ones
  std::vector<varied_setting> vary;

  friend bool operator==(const sweep_settings&, const sweep_settings&) = default;
};

inline constexpr double max_sweep_seeds = 1'000'000;
inline constexpr double max_sweep_jobs = 10'000;

/// Describes each member except the varied settings, as `describe` does for the settings of a run.
template <class Visitor>
void describe(Visitor& v, sweep_settings& s) {
  v.field({"seeds", "every combination runs with seeds 1 to this", between(1, max_sweep_seeds)},
          s.seeds);
  v.field({"jobs", "runs at a time; 0: one for each core", between(0, max_sweep_jobs)}, s.jobs);
  v.field({"metrics", "columns of the table: paths in summary.json, or expressions over {path}; "
                      "none: the default ones"},
          s.metrics);
}

/// Reads the table [sweep] of `from`. Reports problems to `found`, which belongs to it.
sweep_settings read_sweep_settings(const document& from, problems& found);

/// Reads the table [sweep] of a settings file and checks only this table. Throws `settings_error`.
sweep_settings read_sweep_settings(const std::filesystem::path& file,
                                   std::span<const std::string> overrides);

/// Renders the table with every key, its default, range and meaning, as a TOML file.
std::string sweep_reference();

} // namespace troupe
