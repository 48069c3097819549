#pragma once

#include "report/results/results_directory.hpp"
#include "report/sample_results.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace troupe {

/// A directory with the results of a run, gone after the test.
class run_directory {
public:
  explicit run_directory(const run_results& results = sample_results(),
                         const std::string& config = "seed = 7\n") {
    auto name = (std::filesystem::temp_directory_path() / "troupe-page-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no scratch directory");
    path_ = name;
    results_directory(path_).write(results, config);
  }
  run_directory(const run_directory&) = delete;
  run_directory& operator=(const run_directory&) = delete;
  ~run_directory() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }

  void put(const char* file, const std::string& text) const {
    std::ofstream(path_ / file, std::ios::binary) << text;
  }

  std::string get(const char* file) const {
    std::ifstream in(path_ / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

private:
  std::filesystem::path path_;
};

} // namespace troupe
