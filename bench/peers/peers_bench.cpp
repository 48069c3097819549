#include "peers/comparison_row.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

// Measures Troupe beside other programs that do the same work: bare models on arrays, and SimGrid.

namespace troupe::peers {

namespace {

namespace fs = std::filesystem;

/// A directory that is removed at the end.
class scratch_directory {
public:
  scratch_directory() : path_((fs::temp_directory_path() / "troupe-peers-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr)
      throw std::runtime_error("no directory can be made for results");
  }
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;
  ~scratch_directory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }

private:
  std::string path_;
};

int run_all(comparison_options options, const std::string& only, const fs::path& out) {
  const scratch_directory scratch;
  options.scratch = scratch.path();
  options.troupe = fs::absolute(options.troupe).string();
  options.configs = fs::absolute(options.configs).string();
  auto report = nlohmann::ordered_json::array();
  bool same = true;
  print_head();
  for (const auto& what : comparisons()) {
    if (what.name.find(only) == std::string::npos)
      continue;
    if (what.simulation && !TROUPE_SIMGRID) {
      std::printf("%-17s left out: SimGrid (libsimgrid-dev) was not found\n", what.name.c_str());
      continue;
    }
    for (const auto& row : measure(what, options)) {
      print(row);
      report.push_back(to_json(row));
      same = same && row.same_work();
    }
  }
  std::printf("\nThe least CPU time of %u rounds. ratio: of E2 and Sparrow, our CPU time to the "
              "peer's;\nof S1 and S3, our tasks per CPU second to the peer's.\n",
              options.rounds);
  if (!out.empty()) {
    fs::create_directories(out);
    std::ofstream{out / "peers.json"} << report.dump(2) << '\n';
  }
  return same ? 0 : 1;
}

} // namespace

} // namespace troupe::peers

int main(int argc, char** argv) {
  CLI::App app{"Troupe beside other programs with the same work: CPU time, tasks per CPU second, "
               "memory"};
  troupe::peers::comparison_options options;
  options.troupe = TROUPE_PROGRAM;
  options.configs = TROUPE_CONFIGS;
  std::string only;
  std::filesystem::path out;
  app.add_option("--troupe", options.troupe, "The program troupe");
  app.add_option("--configs", options.configs, "Directory of the configurations");
  app.add_option("--rounds", options.rounds, "Runs of each program; the least CPU time counts")
    ->check(CLI::Range(1, 100))
    ->capture_default_str();
  app.add_option("--only", only, "Run only the works with this in their name");
  app.add_flag("--short", options.brief, "Shorten the works, for a quick look");
  app.add_option("--out", out, "Directory to write peers.json to");
  CLI11_PARSE(app, argc, argv);
  try {
    return troupe::peers::run_all(options, only, out);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "peers_bench: %s\n", e.what());
    return 1;
  }
}
