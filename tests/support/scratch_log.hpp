#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace troupe::testing {

/// A log in the Standard Workload Format, in a file that is gone with this.
class scratch_log {
public:
  explicit scratch_log(const std::string& text)
    : path_(std::filesystem::temp_directory_path() /
            ("troupe-log-" + std::to_string(::getpid()) + ".swf")) {
    std::ofstream{path_, std::ios::binary} << text;
  }

  ~scratch_log() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  scratch_log(const scratch_log&) = delete;
  scratch_log& operator=(const scratch_log&) = delete;

  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
};

} // namespace troupe::testing
