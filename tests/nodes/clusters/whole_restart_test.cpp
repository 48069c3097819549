#include "nodes/running_cluster.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <memory>

using namespace troupe::test;

namespace {

/// A cluster of two nodes with machines, the first of which has all other roles too.
class pair_of_nodes {
public:
  pair_of_nodes() { here_.write("jobs.toml", read_file(TROUPE_SOURCE_DIR "/configs/jobs.toml")); }

  void start() {
    first_ = started("a", {"--roles", "master,workload,api,owner,scheduler,machine", "--config",
                           "jobs.toml", "--listen", at_, "--serve", "127.0.0.1:0"});
    REQUIRE(first_->wait_for("serves the live page at "));
    at_ = line_in("a/address");
    second_ = started("b", {"--roles", "machine", "--join", at_});
  }

  void kill_both() {
    for (const auto& node : {first_.get(), second_.get()}) {
      node->send_signal(SIGKILL);
      node->wait();
    }
  }

  std::string submit(std::vector<std::string> words) const {
    words.insert(words.begin(), {"submit", "--quiet", "--api", line_in("a/page")});
    const auto told = here_.run(words);
    CAPTURE(told.err);
    REQUIRE(told.code == 0);
    return told.out.substr(0, told.out.find('\n'));
  }

  int wait_for(const std::string& job, const char* timeout) const {
    return here_.run({"wait", job, "--api", line_in("a/page"), "--timeout", timeout}).code;
  }

  const std::filesystem::path& path() const { return here_.path(); }

private:
  std::unique_ptr<program> started(const std::string& name, std::vector<std::string> more) const {
    std::vector<std::string> words{"node", "--name",   name,       "--state",
                                   name,   "--run-as", own_user(), "--keep-commands"};
    words.insert(words.end(), more.begin(), more.end());
    auto node = std::make_unique<program>(here_.path(), words);
    REQUIRE(node->wait_for("listens on"));
    return node;
  }

  std::string line_in(const std::string& file) const {
    const auto text = read_file(here_.path() / file);
    return text.substr(0, text.find('\n'));
  }

  scratch here_;
  std::string at_ = "127.0.0.1:0";
  std::unique_ptr<program> first_;
  std::unique_ptr<program> second_;
};

} // namespace

TEST_CASE("a cluster whose nodes were all killed goes on at once, with what its machines ran") {
  pair_of_nodes here;
  here.start();
  const auto runs = [&](int task) { return here.path() / ("run." + std::to_string(task)); };
  const auto long_one =
    here.submit({"--count", "2", "--gang", "--cpu", "1.2", "--", "sh", "-c",
                 "echo x >> " + (here.path() / "run.").string() + "$TROUPE_TASK; sleep 12"});
  REQUIRE(eventually(
    [&] { return std::filesystem::exists(runs(0)) && std::filesystem::exists(runs(1)); }));
  here.kill_both();
  here.start();
  // Below the 30 s in which an owner must assume that a machine which it does not find runs tasks.
  CHECK(here.wait_for(here.submit({"--cpu", "0.1", "--", "true"}), "20s") == 0);
  CHECK(here.wait_for(long_one, "60s") == 0);
  CHECK(read_file(runs(0)) == "x\n");
  CHECK(read_file(runs(1)) == "x\n");
}
