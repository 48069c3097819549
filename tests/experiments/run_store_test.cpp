#include "experiments/processes/run_store.hpp"
#include "experiments/temp_folder.hpp"
#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

namespace {

/// Puts results where `store` expects those of `request`, with the settings that `more` changes.
void leave_results(const temp_folder& here, const run_request& request,
                   const std::vector<std::string>& more = {}) {
  auto overrides = request.set;
  overrides.push_back("seed=" + std::to_string(request.seed));
  overrides.insert(overrides.end(), more.begin(), more.end());
  const auto folder = (std::filesystem::path("runs") / request.folder).string() + "/";
  here.write(folder + "config.toml", to_toml(read_settings(request.config, overrides)));
  here.write(folder + "summary.json", "{\"x\": 5}");
  here.write(folder + "timeseries.csv", "from_s,to_s,group,y\r\n0,1,1,2\r\n");
}

} // namespace

TEST_CASE("results are used again if program and settings are the same") {
  const temp_folder here;
  const auto config = here.write("s.toml", "[[workload.phases]]\nrate = 5\n");
  const run_store store(here.path() / "runs", "program one");
  const run_request request{"r", config, {"schedulers=3"}, 2, "r[1]/seed-2"};
  CHECK_FALSE(store.find(request));
  leave_results(here, request);
  CHECK_FALSE(store.find(request));
  store.keep(request);
  const auto found = store.find(request);
  REQUIRE(found);
  CHECK(found->exit_code == 0);
  CHECK(found->summary["x"] == 5);
  CHECK(found->summary["config"]["schedulers"] == 3);
  CHECK(found->summary["series"][0]["group"] == "1");
  CHECK(found->summary["series"][0]["y"] == 2);

  CHECK_FALSE(run_store(here.path() / "runs", "program two").find(request));
  auto other = request;
  other.set = {"schedulers=4"};
  CHECK_FALSE(store.find(other));
  other = request;
  other.seed = 3;
  CHECK_FALSE(store.find(other));

  store.clear(request);
  CHECK_FALSE(store.find(request));
  CHECK(store.load(request).is_null());
}

TEST_CASE("forgotten runs are not used again, and keep their results") {
  const temp_folder here;
  const auto config = here.write("s.toml", "[[workload.phases]]\nrate = 5\n");
  const run_store store(here.path() / "runs", "program");
  const run_request one{"r", config, {}, 1, "r[1]/seed-1"};
  const run_request two{"q", config, {}, 1, "q/of/seed-1"};
  for (const auto& request : {one, two}) {
    leave_results(here, request);
    store.keep(request);
    CHECK(store.find(request));
  }
  forget_runs(here.path() / "runs");
  for (const auto& request : {one, two}) {
    CHECK_FALSE(store.find(request));
    CHECK(store.load(request).is_object());
  }
  forget_runs(here.path() / "nowhere");
}

TEST_CASE("a changed file of settings is noticed") {
  const temp_folder here;
  const auto config = here.write("s.toml", "[[workload.phases]]\nrate = 5\n");
  const run_store store(here.path() / "runs", "program");
  const run_request request{"r", config, {}, 1, "r/seed-1"};
  leave_results(here, request);
  store.keep(request);
  CHECK(store.find(request));
  here.write("s.toml", "[[workload.phases]]\nrate = 6\n");
  CHECK_FALSE(store.find(request));
}

TEST_CASE("results of a run on the machines of a trace are used again") {
  const temp_folder here;
  const auto log = here.write("m.swf", "; MaxNodes: 8\n").string();
  const auto config =
    here.write("s.toml", "[cluster]\npartitions = 1\nowners = 1\n[cluster.trace]\nfile = \"" + log +
                           "\"\n[[workload.phases]]\nrate = 5\n");
  const run_store store(here.path() / "runs", "program");
  const run_request request{"r", config, {}, 1, "r/seed-1"};
  leave_results(here, request, {"cluster.machines=8"}); // as the run writes it
  store.keep(request);
  CHECK(store.find(request));
  here.write("m.swf", "; MaxNodes: 9\n");
  CHECK_FALSE(store.find(request));
  here.write("m.swf", "");
  CHECK_FALSE(store.find(request));
}

TEST_CASE("a program is known by its bytes") {
  const temp_folder here;
  const auto one = identity_of_program(here.write("p", "abc"));
  CHECK(one == "3 bytes, crc32 352441c2\n");
  CHECK(identity_of_program(here.write("p", "abd")) != one);
  CHECK_THROWS(identity_of_program(here.path() / "none"));
}
