#pragma once

#include "settings/document.hpp"
#include "settings/field_info.hpp"
#include "settings/problems.hpp"
#include "settings/varied_setting.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// What the table [sweep] of a settings file says: which runs `troupe sweep` makes of it. A run by
/// itself takes no notice of it.
struct sweep_settings {
  std::uint64_t seeds = 5;
  std::uint64_t jobs = 0;           ///< 0: one for each core
  std::vector<std::string> metrics; ///< none: the usual
  std::vector<varied_setting> vary;

  friend bool operator==(const sweep_settings&, const sweep_settings&) = default;
};

inline constexpr double max_sweep_seeds = 1'000'000;
inline constexpr double max_sweep_jobs = 10'000;

/// Shows each member but those that vary, as `describe` does with the settings of a run.
template <class Visitor>
void describe(Visitor& v, sweep_settings& s) {
  v.field({"seeds", "every combination runs with seeds 1 to this", between(1, max_sweep_seeds)},
          s.seeds);
  v.field({"jobs", "runs at a time; 0: one for each core", between(0, max_sweep_jobs)}, s.jobs);
  v.field({"metrics",
           "columns of the table: paths in summary.json, or expressions over {path}; none: the "
           "usual"},
          s.metrics);
}

/// Reads the table [sweep] of `from`. What is wrong goes to `found`, which belongs to it.
sweep_settings read_sweep_settings(const document& from, problems& found);

/// Reads the table [sweep] of a settings file and checks it alone. Throws `settings_error`.
sweep_settings read_sweep_settings(const std::filesystem::path& file,
                                   std::span<const std::string> overrides);

/// Renders the table with every key, its default, range and meaning, as a TOML file.
std::string sweep_reference();

} // namespace troupe
