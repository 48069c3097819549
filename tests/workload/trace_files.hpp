#pragma once

#include "workload/temp_file.hpp"
#include "workload/traces/trace_reader.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace troupe::test {

/// A directory with the tables of a trace that is gone when the test is over.
class temp_directory {
public:
  temp_directory() {
    static int count = 0;
    path_ = std::filesystem::path{TROUPE_BINARY_DIR} /
            ("traces-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }

  ~temp_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  temp_directory(const temp_directory&) = delete;
  temp_directory& operator=(const temp_directory&) = delete;

  /// Writes a file, in folders of its own if `name` has some, and returns its path.
  std::string write(const std::string& name, std::string_view content) const {
    const auto at = path_ / name;
    std::filesystem::create_directories(at.parent_path());
    std::ofstream{at, std::ios::binary} << content;
    return at.string();
  }

  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
};

/// All that a trace holds.
struct read_jobs {
  std::vector<trace_job> jobs;
  std::map<std::string, std::uint64_t> skipped;
  std::map<std::string, std::uint64_t> events;
};

inline read_jobs read_trace(const std::string& path, const trace_settings& settings = {}) {
  const auto reader = open_sorted_trace(path, settings);
  read_jobs all;
  trace_job job;
  while (reader->next(job))
    all.jobs.push_back(job);
  all.skipped = reader->tally().skipped();
  all.events = reader->events();
  return all;
}

inline read_jobs read_trace_text(std::string_view text, const trace_settings& settings = {}) {
  const temp_file file{text};
  return read_trace(file.path(), settings);
}

/// What is said about a trace that is refused; "" if it is not.
inline std::string trace_refusal(std::string_view text, const trace_settings& settings = {}) {
  const temp_file file{text};
  try {
    read_trace(file.path(), settings);
    return "";
  } catch (const std::runtime_error& e) {
    return std::string{e.what()}.substr(file.path().size());
  }
}

inline trace_settings of_format(trace_format format) {
  trace_settings settings;
  settings.format = format;
  return settings;
}

} // namespace troupe::test
