#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace troupe {

/// A directory for temporary results, removed at the end.
class temporary_directory {
public:
  temporary_directory()
    : path_{(std::filesystem::temp_directory_path() / "troupe-XXXXXX").string()} {
    if (!mkdtemp(path_.data()))
      throw std::runtime_error{"cannot create a directory like " + path_};
  }
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  ~temporary_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path path() const { return path_; }

private:
  std::string path_;
};

} // namespace troupe
