#include "report/results/compare_results.hpp"
#include "report/results/host_part.hpp"
#include "report/results/results_directory.hpp"
#include "report/sample_results.hpp"
#include "report/summary/summary_json.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace troupe;

namespace fs = std::filesystem;

namespace {

/// A directory of its own for one test, gone after it.
class scratch {
public:
  scratch() {
    auto name = (fs::temp_directory_path() / "troupe-report-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() { fs::remove_all(path_); }

  fs::path operator/(const char* name) const { return path_ / name; }

private:
  fs::path path_;
};

void put(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string get(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::set<std::string> names_in(const fs::path& path) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(path))
    names.insert(entry.path().filename());
  return names;
}

/// Returns the message with which a results directory is refused, or "" if it is taken.
std::string refusal(const fs::path& path) {
  try {
    results_directory{path};
    return "";
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

void write_results(const fs::path& path, const run_results& results,
                   const std::string& config = "seed = 7\n") {
  results_directory(path).write(results, config);
}

} // namespace

TEST_CASE("the directory is made with its parents, and holds the results afterwards") {
  scratch s;
  const results_directory directory(s / "a/b/c");
  CHECK(names_in(s / "a/b/c").empty());
  directory.write(sample_results(), "seed = 7\n");
  CHECK(names_in(s / "a/b/c") ==
        std::set<std::string>{"summary.json", "timeseries.csv", "delays.csv", "config.toml"});
  CHECK(get(directory.summary()) == summary_text(sample_results()));
  CHECK(get(directory.timeseries()).starts_with("from_s,to_s,group,"));
  CHECK(get(directory.config()) == "seed = 7\n");
  CHECK(directory.report() == s / "a/b/c/report.html");
}

TEST_CASE("results of an earlier run stay until they are replaced") {
  scratch s;
  write_results(s / "r", sample_results(), "old\n");
  put(s / "r/report.html", "old");
  put(s / "r/.summary.json.tmp", "half a fi");
  const results_directory directory(s / "r");
  CHECK(get(directory.config()) == "old\n");
  CHECK(names_in(s / "r") == std::set<std::string>{"summary.json", "timeseries.csv", "delays.csv",
                                                   "config.toml", "report.html"});
  directory.write(sample_results(), "new\n");
  CHECK(get(directory.config()) == "new\n");
  CHECK_FALSE(fs::exists(directory.report()));
}

TEST_CASE("a directory with anything else in it is refused and left alone") {
  scratch s;
  SUBCASE("a foreign file") {
    put(s / "d/notes.txt", "mine");
    CHECK(refusal(s / "d") == "cannot write results to " + (s / "d").string() +
                                ": it holds \"notes.txt\", which is not a run's results; choose "
                                "an empty or a new directory");
  }
  SUBCASE("a foreign file beside results") {
    write_results(s / "d", sample_results());
    put(s / "d/sub/notes.txt", "mine");
    CHECK(refusal(s / "d").find("\"sub\"") != std::string::npos);
  }
  SUBCASE("somebody's own settings") {
    put(s / "d/config.toml", "mine");
    CHECK(refusal(s / "d").find("\"config.toml\" but no summary.json") != std::string::npos);
    CHECK(get(s / "d/config.toml") == "mine");
  }
  SUBCASE("another program's summary") {
    put(s / "d/summary.json", "{\"total\": 1}");
    CHECK(refusal(s / "d").find("its summary.json is not a run's") != std::string::npos);
  }
}

TEST_CASE("results of a run that has ended are cleared, and nothing else") {
  scratch s;
  results_directory::clear(s / "none");
  CHECK_FALSE(fs::exists(s / "none"));
  write_results(s / "r", sample_results());
  for (const char* name : {"r/report.html", "r/tasks.csv.gz", "r/tasks.partial.csv.gz"})
    put(s / name, "old");
  results_directory::clear(s / "r");
  CHECK(names_in(s / "r").empty());
  write_results(s / "r", sample_results(), "other\n"); // is taken as a new one
  put(s / "r/notes.txt", "mine");
  results_directory::clear(s / "r");
  CHECK(names_in(s / "r") == std::set<std::string>{"notes.txt"});
  put(s / "d/config.toml", "mine");
  results_directory::clear(s / "d");
  CHECK(get(s / "d/config.toml") == "mine");
}

TEST_CASE("the summary is cleared last, so that a program that is killed can go on") {
  scratch s;
  write_results(s / "r", sample_results());
  const int watch = inotify_init1(IN_CLOEXEC);
  REQUIRE(inotify_add_watch(watch, (s / "r").c_str(), IN_DELETE) >= 0);
  results_directory::clear(s / "r");
  alignas(inotify_event) char events[1 << 14];
  const auto size = read(watch, events, sizeof events);
  close(watch);
  std::vector<std::string> removed;
  for (ssize_t at = 0; at < size;) {
    const auto* event = reinterpret_cast<const inotify_event*>(events + at);
    removed.emplace_back(event->name);
    at += static_cast<ssize_t>(sizeof *event + event->len);
  }
  REQUIRE(removed.size() >= 4);
  CHECK(removed.back() == "summary.json");
  CHECK(names_in(s / "r").empty());
}

TEST_CASE("what cannot be a directory is refused") {
  scratch s;
  put(s / "file", "");
  CHECK(refusal(s / "file").find("file: ") != std::string::npos);
  CHECK(refusal(s / "file/below") ==
        "cannot write results to " + (s / "file/below").string() + ": Not a directory");
  CHECK(refusal("").find("has no name") != std::string::npos);
}

TEST_CASE("a file that cannot be replaced is told by name") {
  scratch s;
  const results_directory directory(s / "r");
  put(s / "r/timeseries.csv/inside", "");
  try {
    directory.write(sample_results(), "");
    FAIL("nothing was thrown");
  } catch (const std::runtime_error& e) {
    CHECK(std::string(e.what()).find("r/timeseries.csv: ") != std::string::npos);
  }
}

TEST_CASE("equal results have no difference, whatever their hosts") {
  scratch s;
  auto results = sample_results();
  write_results(s / "a", results);
  results.host = {99, 98, 97, "9.9"};
  write_results(s / "b", results);
  CHECK(get(s / "a/summary.json") != get(s / "b/summary.json"));
  CHECK(compare_results(s / "a", s / "b").empty());
}

TEST_CASE("every file that differs is told with the first place") {
  scratch s;
  auto results = sample_results();
  write_results(s / "a", results, "seed = 7\nname = \"x\"\n");
  results.series[2].sample.tasks.placed = 7;
  write_results(s / "b", results, "seed = 7\nname = \"y\"\n");
  const auto found = compare_results(s / "a", s / "b");
  REQUIRE(found.size() == 3);
  CHECK(to_string(found[0]) ==
        "config.toml, line 2: \"name = \"x\"?\" in the first, \"name = \"y\"?\" in the second");
  CHECK(to_string(found[1]) == "summary.json, /tasks/placed: 14 in the first, 15 in the second");
  CHECK(found[2].file == "timeseries.csv");
  CHECK(found[2].place == "line 4");
}

TEST_CASE("differences within the summary are found wherever they are") {
  scratch s;
  auto results = sample_results();
  write_results(s / "a", results);
  const auto base = nlohmann::ordered_json::parse(get(s / "a/summary.json"));
  auto changed = base;
  std::string expected;
  SUBCASE("a value") {
    changed["checks"][1]["detail"] = "more";
    expected = "/checks/1/detail: \"\" in the first, \"more\" in the second";
  }
  SUBCASE("a key that is gone") {
    changed["phases"][2].erase("quality");
    expected =
      "/phases/2/quality: {\"mean\":2.0,\"stddev\":0.0} in the first, nothing in the second";
  }
  SUBCASE("a new key") {
    changed["a/b"] = 1;
    expected = "/a~1b: nothing in the first, 1 in the second";
  }
  SUBCASE("a longer array") {
    changed["checks"].push_back(nullptr);
    expected = "/checks/2: nothing in the first, null in the second";
  }
  SUBCASE("a whole number and a broken one") {
    changed["tasks"]["placed"] = 14.0;
    expected = "/tasks/placed: 14 in the first, 14.0 in the second";
  }
  SUBCASE("the order of keys") {
    changed.erase("name");
    changed["name"] = base["name"];
    expected = "line 3: \"  \"name\": \"sample\",?\" in the first, "
               "\"  \"architecture\": \"parsync\",?\" in the second";
  }
  write_results(s / "b", results);
  put(s / "b/summary.json", changed.dump(2) + "\n");
  const auto found = compare_results(s / "a", s / "b");
  REQUIRE(found.size() == 1);
  CHECK(to_string(found[0]) == "summary.json, " + expected);
}

TEST_CASE("a missing file is a difference, a missing run an error") {
  scratch s;
  write_results(s / "a", sample_results());
  write_results(s / "b", sample_results());
  fs::remove(s / "b/timeseries.csv");
  put(s / "b/config.toml", "seed = 7\n# more");
  const auto found = compare_results(s / "a", s / "b");
  REQUIRE(found.size() == 2);
  CHECK(to_string(found[0]) ==
        "config.toml, line 2: nothing in the first, \"# more\" in the second");
  CHECK(to_string(found[1]) == "timeseries.csv: there in the first, missing in the second");

  CHECK_THROWS_WITH_AS(compare_results(s / "a", s / "none"),
                       doctest::Contains("there are no results of a run in"), std::runtime_error);
  fs::remove(s / "b/summary.json");
  CHECK_THROWS_WITH_AS(compare_results(s / "a", s / "b"), doctest::Contains("no summary.json"),
                       std::runtime_error);
  put(s / "b/summary.json", "{\"half\": ");
  CHECK_THROWS_WITH_AS(compare_results(s / "a", s / "b"),
                       doctest::Contains("is not the summary of a run"), std::runtime_error);
}

TEST_CASE("the tenants' shares are written where there are several tenants, and no others stay") {
  const scratch dir;
  const results_directory results(dir / "run");
  auto shared = sample_results();
  shared.tenants = {{"a", 1, 0, 1, {0}}, {"b", 1, 0, 1, {1}}};
  results.write(shared, "");
  CHECK(get(results.tenants()).starts_with("from_s,"));
  CHECK_NOTHROW(results_directory(dir / "run"));
  results.write(sample_results(), "");
  CHECK_FALSE(fs::exists(results.tenants()));
}

TEST_CASE("the distribution of delays and the events are written") {
  const scratch here;
  const results_directory directory(here / "run");
  auto failing = sample_results();
  failing.events = {{std::chrono::milliseconds{1500}, run_event_kind::kill, "owner.2", ""},
                    {std::chrono::seconds{2}, run_event_kind::end, "owner.2", "kill"}};
  directory.write(failing, "");
  CHECK(get(directory.events()) ==
        "at_s,event,member,detail\r\n1.5,kill,owner.2,\r\n2,end,owner.2,kill\r\n");
  CHECK(get(directory.delays()) == "group,from_s,to_s,placed,waiting,abandoned\r\n"
                                   "a,0.5,0.5078125,8,0,0\r\n"
                                   "a,2,2.03125,6,0,0\r\n");
  CHECK_NOTHROW(results_directory(here / "run"));
  directory.write(sample_results(), "");
  CHECK_FALSE(fs::exists(directory.events()));
}

TEST_CASE("the page is compared without the part about the host, and need not be there") {
  const scratch here;
  write_results(here / "a", sample_results());
  write_results(here / "b", sample_results());
  const std::string begin(host_part_begin);
  const std::string end(host_part_end);
  put(here / "a/report.html", "x" + begin + "1 s" + end + "y\n");
  CHECK(compare_results(here / "a", here / "b").empty());
  put(here / "b/report.html", "x" + begin + "2 s" + end + "y\n");
  CHECK(compare_results(here / "a", here / "b").empty());
  put(here / "b/report.html", "x" + begin + "2 s" + end + "z\n");
  CHECK(compare_results(here / "a", here / "b").size() == 1);
}

TEST_CASE("results that do not fit on the disk leave nothing behind") {
  const scratch here;
  const auto path = here / "run";
  const results_directory directory(path);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  auto small = before;
  small.rlim_cur = 100;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  CHECK_THROWS_AS(directory.write(sample_results(), "seed = 1\n"), std::runtime_error);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(names_in(path).empty());
}
