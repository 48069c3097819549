#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace troupe::test {

/// A folder of its own for a test, removed at the end.
class temp_folder {
public:
  temp_folder() : path_((std::filesystem::temp_directory_path() / "troupe-lab-XXXXXX").string()) {
    if (!mkdtemp(path_.data()))
      throw std::runtime_error("cannot create " + path_);
  }
  temp_folder(const temp_folder&) = delete;
  temp_folder& operator=(const temp_folder&) = delete;
  ~temp_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path path() const { return path_; }

  /// Writes `text` into the file `name`, making its folder, and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const auto file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

private:
  std::string path_;
};

} // namespace troupe::test
