#include "report/results/keep_results.hpp"
#include "report/sample_results.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

using namespace troupe;

namespace fs = std::filesystem;

namespace {

/// A directory for results within another one, both gone after the test.
struct place {
  fs::path base = [] {
    auto name = (fs::temp_directory_path() / "troupe-keep-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no scratch directory");
    return fs::path{name};
  }();
  fs::path wanted = base / "results" / "mine";

  place() = default;
  place(const place&) = delete;
  place& operator=(const place&) = delete;
  ~place() { fs::remove_all(base); }
};

bool is_complete(const fs::path& directory) {
  return fs::exists(directory / "summary.json") && fs::exists(directory / "timeseries.csv") &&
         fs::exists(directory / "config.toml");
}

} // namespace

TEST_CASE("results go where they belong") {
  const place here;
  const results_directory directory{here.wanted};
  const auto kept = keep_results(directory, sample_results(), "");
  CHECK(kept.where == here.wanted);
  CHECK(kept.trouble.empty());
  CHECK(is_complete(here.wanted));
}

TEST_CASE("results that cannot be written there are kept beside it") {
  const place here;
  const results_directory directory{here.wanted};
  fs::remove(here.wanted);
  // A file has come in its place while the run went on.
  { std::ofstream{here.wanted} << "somebody else's"; }
  const auto kept = keep_results(directory, sample_results(), "");
  CHECK(kept.where.parent_path() == here.wanted.parent_path());
  CHECK(kept.where != here.wanted);
  CHECK(is_complete(kept.where));
  CHECK(kept.trouble.find("cannot write results to " + here.wanted.string()) == 0);
}

TEST_CASE("results are kept among the temporary files where nothing else can be written") {
  const place here;
  const results_directory directory{here.wanted};
  fs::remove_all(here.wanted.parent_path());
  { std::ofstream{here.wanted.parent_path()} << "no directory"; }
  const auto kept = keep_results(directory, sample_results(), "");
  CHECK(kept.where.parent_path() == fs::temp_directory_path());
  CHECK(is_complete(kept.where));
  CHECK_FALSE(kept.trouble.empty());
  fs::remove_all(kept.where);
}

TEST_CASE("results that stay in their place are kept nowhere else") {
  const place here;
  results_directory directory{here.wanted};
  directory.stay_here();
  fs::remove(here.wanted);
  { std::ofstream{here.wanted} << "somebody else's"; }
  const auto kept = keep_results(directory, sample_results(), "");
  CHECK(kept.where.empty());
  CHECK(kept.trouble.find("cannot write results to " + here.wanted.string()) == 0);
  CHECK(std::distance(fs::directory_iterator{here.wanted.parent_path()}, {}) == 1);
}
