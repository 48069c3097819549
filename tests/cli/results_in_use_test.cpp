#include "cli/process.hpp"
#include "cli/samples.hpp"
#include "cli/summary.hpp"
#include "support/long_case.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

using namespace troupe::test;

namespace fs = std::filesystem;

namespace {

/// Keeps a directory, as another process of the program would.
class kept_directory {
public:
  explicit kept_directory(const fs::path& path) {
    fs::create_directories(path);
    fd_ = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    REQUIRE(flock(fd_, LOCK_EX | LOCK_NB) == 0);
  }
  kept_directory(const kept_directory&) = delete;
  kept_directory& operator=(const kept_directory&) = delete;
  ~kept_directory() { close(fd_); }

private:
  int fd_;
};

const std::vector<std::string> endless{"--set", "workload.phases.0.length=100000h"};

std::vector<std::string> joined(std::vector<std::string> words,
                                const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

void check_in_use(const scratch& here, const std::vector<std::string>& command,
                  const std::string& complaint) {
  const auto refused = here.run(command);
  CAPTURE(refused.err);
  CHECK(refused.code == 2);
  CHECK(refused.out == "");
  CHECK(contains(refused.err, complaint));
}

} // namespace

TEST_CASE("runs at the same time do not share a directory") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  program first{here.path(), joined({"run", "tiny.toml", "--log-level", "info"}, endless)};
  REQUIRE(first.wait_for("run started"));
  for (const auto* schedulers : {"2", "3"}) {
    const auto second =
      here.run({"run", "tiny.toml", "-q", "--set", std::string{"schedulers="} + schedulers});
    CAPTURE(second.err);
    CHECK(second.code == 0);
    CHECK(contains(second.err, "results/tiny-1 is in use by another run; "));
    const auto where = std::string{"results/tiny-1."} + schedulers;
    CHECK(contains(second.err, "the results of this run go to " + where));
    CHECK(summary_in(here.path() / where).at("tasks").at("submitted") > 100);
  }
  for (const auto* more : {"--quiet", "--overwrite"})
    check_in_use(here, {"run", "tiny.toml", more, "--out", "results/tiny-1"},
                 "results/tiny-1: it is in use by another run or batch of runs; expected another");
  first.send_signal(SIGINT);
  CHECK(first.wait().code == 130);
  CHECK(summary_in(here.path() / "results/tiny-1").at("interrupted") == true);
  // It is free again.
  CHECK(here.run({"run", "tiny.toml", "-q", "--out", "results/tiny-1", "--overwrite"}).code == 0);
}

TEST_CASE("commands with many runs do not share a directory" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  here.write("e.toml", "name = \"e\"\ntitle = \"E\"\nbase = \"tiny.toml\"\nseeds = 1\n"
                       "[[run]]\nname = \"r\"\n");
  const std::vector<std::string> sweep{"sweep",   "tiny.toml", "--vary", "schedulers=1..2",
                                       "--seeds", "1",         "--jobs", "1"};
  const std::vector<std::vector<std::string>> commands{sweep,
                                                       {"find", "tiny.toml", "--vary",
                                                        "schedulers=1..2", "--seeds", "1",
                                                        "--until", "quality.mean > 0"},
                                                       {"compare", "tiny.toml", "--seeds", "1"},
                                                       {"experiment", "e.toml"},
                                                       {"fidelity", "tiny.toml"}};
  program first{here.path(), joined(joined(sweep, {"--out", "mine"}), endless)};
  REQUIRE(first.wait_for("at a time"));
  for (const auto& command : commands)
    check_in_use(here, joined(command, {"--out", "mine"}),
                 command.front() + ": --out mine: it is in use by another run or batch");
  first.send_signal(SIGINT);
  CHECK(first.wait().code == 130);

  // Each keeps its directory, and its own runs write below it.
  const kept_directory of_sweeps{here.path() / "results/sweep/tiny"};
  const auto other = here.run(joined(sweep, {"--no-report"}));
  CAPTURE(other.err);
  CHECK(other.code == 0);
  CHECK(contains(other.err, "results/sweep/tiny is in use by another process"));
  CHECK(fs::exists(here.path() / "results/sweep/tiny.2/sweep.csv"));
  CHECK(fs::is_empty(here.path() / "results/sweep/tiny"));
}
