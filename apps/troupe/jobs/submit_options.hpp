#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace troupe {

/// What the command line of `troupe submit` says of a job.
struct submit_options {
  std::vector<std::string> words; ///< a command, or the name of a job file
  std::string name;
  std::optional<std::uint32_t> count;
  std::optional<double> cpu;
  std::string memory;
  std::optional<double> gpu;
  std::vector<std::string> constraints;
  std::optional<std::int32_t> priority;
  std::string tenant;
  bool gang = false;
  std::vector<std::uint64_t> after;
  std::string timeout;
  std::string grace;
  std::string lease;
  std::optional<std::uint32_t> retries;
  std::vector<std::string> env; ///< NAME=VALUE
  std::string dir;

  bool names_file() const;

  /// Undoes `with_marked_brackets`.
  void unmark_brackets();

  friend bool operator==(const submit_options&, const submit_options&) = default;
};

/// Returns the words of a command line, those in brackets with a mark before them: the parser takes
/// `[a,b]` for a list.
std::vector<std::string> with_marked_brackets(int argc, char** argv);

void add_submit_options(CLI::App& command, submit_options& options);

/// Returns the job in JSON, and checks it. Throws `usage_error` with all faults: of a job file,
/// with its name and lines; else with the options.
std::string job_of(submit_options options);

/// Returns what the command line has for a place in the job's JSON, by the JSON pointer: "--count",
/// or "job.toml: groups/0/count".
std::string source_of(const submit_options& options, const std::string& place);

} // namespace troupe
