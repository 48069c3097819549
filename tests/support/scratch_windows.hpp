#pragma once

#include "support/reference_windows.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace troupe::testing {

/// A table of windows in a file that is gone with this.
class scratch_windows {
public:
  explicit scratch_windows(const std::string& text)
    : path_(std::filesystem::temp_directory_path() /
            ("troupe-windows-" + std::to_string(::getpid()) + ".csv")) {
    std::ofstream{path_, std::ios::binary} << text;
  }

  ~scratch_windows() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  scratch_windows(const scratch_windows&) = delete;
  scratch_windows& operator=(const scratch_windows&) = delete;

  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
};

/// The windows of parts of machines, one after the other, as such a table. Times are in ms; those
/// of a tenant are the tenant's of this name.
inline std::string windows_text(const std::vector<reference::part>& parts,
                                const std::string& tenant = {}) {
  std::string text = "start_s,end_s,machines,tenant\n";
  std::int64_t first = 0;
  for (const auto& p : parts) {
    const auto last = first + p.processors - 1;
    for (const auto& w : p.windows)
      text += std::to_string(static_cast<double>(w.from) / 1e3) + ',' +
              std::to_string(static_cast<double>(w.to) / 1e3) + ',' + std::to_string(first) + '-' +
              std::to_string(last) + ',' + (w.tenant < 0 ? "" : tenant) + '\n';
    first = last + 1;
  }
  return text;
}

} // namespace troupe::testing
