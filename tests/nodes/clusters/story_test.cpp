#include "nodes/clusters/page_reader.hpp"
#include "support/documented_json.hpp"

#include <doctest/doctest.h>

#include <csignal>

using namespace troupe::test;

namespace {

/// Asks again while the answer is being looked for, as the page does.
json explained_by(const page_reader& page, const std::string& task) {
  json answer;
  CHECK(eventually([&] {
    answer = json::parse(page.get("/api/v1/explain?task=" + task));
    return answer.value("state", "") != "working";
  }));
  return answer;
}

} // namespace

TEST_CASE("tasks of a running cluster are explained from its records") {
  running_cluster cluster{{"--serve", "127.0.0.1:0", "--set", endless, "--set", "records=tasks"}};
  const auto& here = cluster.here();
  const auto page = page_reader::of(read_file(here.path() / "cluster" / "node-5" / "page"));
  // A row comes some time after the end of its task: see record_delay.
  outcome told;
  CHECK(eventually([&] {
    told = here.run({"explain", "1.0"});
    return told.code == 0;
  }));
  CAPTURE(told.err);
  CHECK(told.out.starts_with("Task 1.0 "));
  const auto as_json = here.run({"explain", "1.0", "--json"});
  CAPTURE(as_json.out);
  REQUIRE(as_json.code == 0);
  auto story = json::parse(as_json.out);
  static const documented_json documented;
  for (const auto& fault : documented.faults("explain", story))
    FAIL_CHECK(fault);
  CHECK(story["replayed"] == false);
  const auto by_page = explained_by(page, "1.0");
  CHECK(by_page.value("sentences", by_page) == story["sentences"]);
  json there;
  CHECK(eventually([&] {
    there = json::parse(page.get("/api/v1/why-not?task=1.0&machine=3"));
    return there.contains("verdict");
  }));
  CHECK((there["verdict"] == "over" || there["verdict"] == "placed"));
  CHECK(there["machine"] == 3);
  for (const auto& fault : documented.faults("why-not", there))
    FAIL_CHECK(fault);
  CHECK(contains(page.get("/api/v1/why-not?task=1.0&at=1s"), "expected no 'at'"));
  const auto asked = here.run({"why-not", "1.0", "3", "--json"});
  CAPTURE(asked.err);
  CHECK(asked.code == 0);
  CHECK(json::parse(asked.out)["sentences"] == there["sentences"]);
  CHECK(here.run({"why-not", "1.0", "--at", "1s"}).code == 2);

  const auto unknown = here.run({"explain", "999999.0"});
  CHECK(unknown.code == 1);
  CHECK(contains(unknown.err, "there is no task 999999.0 so far"));
  const auto nonsense = here.run({"explain", "x"});
  CHECK(nonsense.code == 2);
  CHECK(contains(nonsense.err, "JOB.TASK"));

  // The results say the same.
  cluster.up().send_signal(SIGINT);
  cluster.up().wait();
  const auto later = here.run({"explain", "1.0", "--in", "cluster/results", "--json"});
  CAPTURE(later.err);
  REQUIRE(later.code == 0);
  CHECK(json::parse(later.out)["sentences"] == story["sentences"]);
  const auto why_not = here.run({"why-not", "1.0", "--in", "cluster/results"});
  CHECK(why_not.code == 0);
  CHECK(contains(why_not.out, "Over: task 1.0 ran on machine "));
}

TEST_CASE("a cluster without records says what it takes to explain tasks") {
  running_cluster cluster{{"--set", endless}};
  cluster.wait_until_finished();
  const auto& here = cluster.here();
  const auto told = here.run({"explain", "1.0"});
  CHECK(told.code == 2);
  CHECK(contains(told.err, "explain: this cluster keeps no records of tasks so far; expected the "
                           "setting records = \"tasks\""));
  const auto both = here.run({"explain", "1.0", "--in", "x", "--cluster", "cluster"});
  CHECK(both.code == 2);
  cluster.up().send_signal(SIGINT);
  cluster.up().wait();
  const auto later = here.run({"explain", "1.0", "--in", "cluster/results"});
  CAPTURE(later.err);
  CHECK(later.code == 2);
  CHECK(contains(later.err, "there are no records of tasks; expected a run with --records tasks"));
  const auto nobody = here.run({"explain", "1.0"});
  CHECK(nobody.code == 2);
  CHECK(contains(nobody.err, "no cluster is running there"));
}
