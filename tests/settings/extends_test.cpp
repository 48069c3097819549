#include "settings/reading.hpp"
#include "settings/toml/print.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// A folder of settings files, removed at the end.
class folder {
public:
  folder() : path_(std::filesystem::path(TROUPE_BINARY_DIR) / "extends-test") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ / "inner");
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() { std::filesystem::remove_all(path_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
  }

  std::string path(const std::string& name) const { return (path_ / name).string(); }

  run_settings read(const std::string& name, const std::vector<std::string>& overrides = {}) const {
    return read_settings(path_ / name, overrides);
  }

  std::string refusal(const std::string& name,
                      const std::vector<std::string>& overrides = {}) const {
    try {
      read(name, overrides);
    } catch (const settings_error& error) {
      return error.what();
    }
    return "accepted";
  }

private:
  std::filesystem::path path_;
};

const std::string base = "name = \"base\"\n"
                         "seed = 7\n"
                         "[sync]\ngap = \"2s\"\ngroups = 5\n"
                         "[cluster.score]\nsigma = 0.25\n"
                         "[[workload.phases]]\nload = 0.5\n"
                         "[[workload.phases]]\nload = 0.6\n";

} // namespace

TEST_CASE("a file that extends another says only what differs") {
  const folder here;
  here.write("base.toml", base);
  here.write("inner/a.toml", "extends = \"../base.toml\"\n"
                             "name = \"a\"\n"
                             "[sync]\ngap = \"3s\"\n"
                             "[cluster]\nmachines = 500\n"
                             "[[workload.phases]]\nrate = 9\n");
  const auto s = here.read("inner/a.toml");
  CHECK(s.name == "a");
  CHECK(s.seed == 7);
  CHECK(s.sync.gap == 3s);
  CHECK(s.sync.groups == 5);
  CHECK(s.cluster.machines == 500);
  CHECK(s.cluster.score.sigma == 0.25);
  REQUIRE(s.workload.phases.size() == 1);
  CHECK(s.workload.phases[0].rate == 9);
  CHECK(s.workload.phases[0].load == 0);
}

TEST_CASE("a file may extend one that extends another; overrides win over all") {
  const folder here;
  here.write("base.toml", base);
  here.write("b.toml", "extends = \"base.toml\"\nseed = 8\nsync.groups = 6\n");
  here.write("c.toml", "extends = \"b.toml\"\nname = \"c\"\n[sync]\ngap = \"4s\"\n");
  const auto s = here.read("c.toml", {"sync.gap=5s", "workload.phases.1.load=0.9"});
  CHECK(s.name == "c");
  CHECK(s.seed == 8);
  CHECK(s.sync.groups == 6);
  CHECK(s.sync.gap == 5s);
  CHECK(s.workload.phases.at(1).load == 0.9);
  CHECK(to_toml(s).find("extends") == std::string::npos);
  CHECK(parse_settings(to_toml(s), "again") == s);
}

TEST_CASE("what is wrong is reported where it stands") {
  const folder here;
  here.write("base.toml", "[sync]\ngap = 3\n" + one_phase);
  here.write("a.toml", "extends = \"base.toml\"\nseed = -1\n");
  CHECK(here.refusal("a.toml") == here.path("base.toml") +
                                    ":2: key 'sync.gap': value 3; expected a duration with its "
                                    "unit: write \"3s\"");
  here.write("b.toml", "extends = \"base.toml\"\nseed = -1\n[sync]\ngap = \"3s\"\n");
  CHECK(here.refusal("b.toml") ==
        here.path("b.toml") + ":2: key 'seed': value -1; expected a whole number, at least 0");
  here.write("list.toml", "schedulers = 5\n" + one_phase);
  here.write("c.toml",
             "extends = \"list.toml\"\nname = \"c\"\nworkload.phases = [{ load = -1 }]\n");
  CHECK(here.refusal("c.toml").starts_with(here.path("c.toml") +
                                           ":3: key 'workload.phases.0.load': value -1"));
  here.write("d.toml", "extends = \"list.toml\"\nworkload = 3\n");
  CHECK(here.refusal("d.toml").starts_with(here.path("d.toml") + ":2: key 'workload': value 3"));
}

TEST_CASE("a file that cannot be extended is refused with one message") {
  const folder here;
  const auto at = [&](const std::string& value) {
    return here.path("a.toml") + ":2: key 'extends': value " + value + "; expected ";
  };
  here.write("a.toml", "seed = 1\nextends = \"none.toml\"\n");
  CHECK(here.refusal("a.toml") ==
        at("\"none.toml\"") + "a file, but there is no " + here.path("none.toml"));
  here.write("a.toml", "seed = 1\nextends = \"a.toml\"\n");
  CHECK(here.refusal("a.toml") == at("\"a.toml\"") + "a file that does not extend this one");
  here.write("a.toml", "seed = 1\nextends = 5\n");
  CHECK(here.refusal("a.toml") == at("5") + "the path of a settings file, as in \"base.toml\"");
  here.write("a.toml", "seed = 1\nextends = \"inner\"\n");
  CHECK(here.refusal("a.toml") ==
        here.path("inner") + ": is a directory; expected a settings file");
  here.write("a.toml", "seed = 1\nextends = \"inner/b.toml\"\n");
  here.write("inner/b.toml", "extends = \"../a.toml\"\n");
  CHECK(here.refusal("a.toml") == here.path("inner/b.toml") +
                                    ":1: key 'extends': value \"../a.toml\"; expected a file that "
                                    "does not extend this one");
}

TEST_CASE("extends is a file's own affair, and misspellings of it are found") {
  CHECK(refusal(one_phase, {"extends=x.toml"}) ==
        "--set extends=x.toml: only a file can extend another one; expected a setting");
  CHECK(refusal("extend = \"x.toml\"\n" + one_phase) ==
        "f.toml:1: key 'extend' is unknown; expected 'extends'?");
}
