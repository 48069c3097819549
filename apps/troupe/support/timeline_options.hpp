#pragma once

#include "report/timeline/timeline.hpp"
#include "settings/schema/settings.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace troupe {

/// The options on the timeline of a run, as they were given.
struct timeline_options {
  std::string file;
  std::string from;
  std::string to;
  std::string members;
  std::string machines;
  std::string jobs;
  bool snapshots = false;

  bool wanted() const { return !file.empty(); }
};

/// Adds these options to a command.
void add_timeline_options(CLI::App& command, timeline_options& options);

/// The timeline of a run, and the file for it.
class timeline_file {
public:
  /// Checks the options and the file, which stays as it is. Throws `usage_error` if it cannot be
  /// written, or if an option is wrong.
  explicit timeline_file(const timeline_options& options);

  /// Refuses a file in `results`, a directory of results. Throws `usage_error`.
  void check_outside(const std::filesystem::path& results) const;

  /// Creates the file, or empties it, as the run begins. Throws `usage_error` if it cannot.
  void begin() const;

  timeline& drawn() { return timeline_; }

  /// Writes the file, compressed if its name ends in ".gz". Prints its place unless `quiet`, and
  /// on standard error what had to be left out. Returns false if it cannot be written.
  bool write(const run_results& results, bool quiet);

private:
  timeline timeline_;
  std::filesystem::path path_;
};

} // namespace troupe
