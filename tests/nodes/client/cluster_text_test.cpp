#include "nodes/client/cluster_text.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// Three nodes: the master's with the workload, one that works, one that is away.
cluster_report sample() {
  cluster_report all;
  all.name = "sample";
  all.architecture = "parsync";
  all.origin = 1;
  all.now = 90s;
  all.machines = 5000;
  all.master = 1;
  node_entry m;
  m.who.name = "node-1";
  m.who.host = "127.0.0.1";
  m.who.port = 7400;
  m.who.pid = 4242;
  m.who.roles.master = m.who.roles.workload = true;
  m.index = 1;
  m.present = true;
  auto a = m;
  a.who.name = "node-2";
  a.who.roles = {false, false, 10, 10, 3000};
  a.index = 2;
  a.machines = {0, 3000};
  auto b = a;
  b.who.name = "node-3";
  b.who.roles.machines = 2000;
  b.index = 3;
  b.machines = {3000, 2000};
  b.present = false;
  all.nodes.nodes = {m, a, b};
  all.places = {
    {role::owner, 0, 1}, {role::owner, 1, 1}, {role::scheduler, 0, 1}, {role::scheduler, 1, 1}};
  node_report of_m;
  of_m.index = 1;
  of_m.members = {{role::master, 0, 1}, {role::workload, 0, 1}};
  of_m.work = {true, false, 60s, 34'000, 12, 3'400, 33'988, 30'588, 0, 17};
  node_report of_a;
  of_a.index = 2;
  of_a.members = {{role::owner, 0, 1}, {role::owner, 1, 2}, {role::scheduler, 0, 1}};
  of_a.tasks_running = 3'400;
  of_a.cpu_ms = 12'300;
  of_a.memory_bytes = 64 << 20;
  of_a.bytes_sent = 8'520'000;
  of_a.sync_bytes = 852'000;
  node_report of_b;
  of_b.index = 3;
  of_b.members = {{role::scheduler, 1, 1}};
  all.reports = {of_m, of_a, of_b};
  return all;
}

std::string status_text(const cluster_report& all) {
  std::ostringstream out;
  write_status(out, all);
  return out.str();
}

} // namespace

TEST_CASE("the status tells what goes on") {
  CHECK(status_text(sample()) == "cluster    sample (parsync), for 90.0 s\n"
                                 "nodes      2 here, 1 gone\n"
                                 "machines   3,000 of 5,000\n"
                                 "owners     2 of 2\n"
                                 "schedulers 1 of 2\n"
                                 "workload   runs for 60.0 s\n"
                                 "tasks      34,000 submitted, 33,988 placed, 30,588 finished, "
                                 "0 failed\n"
                                 "           12 queued, 3,400 running\n"
                                 "conflicts  17\n"
                                 "wire       8.52MB between nodes, 250 bytes for each task "
                                 "placed; snapshots 10.0 %\n");
}

TEST_CASE("the status of a cluster that waits says so") {
  auto all = sample();
  all.origin = 0;
  all.reports.clear();
  const auto text = status_text(all);
  CHECK(text.find("not begun: something is missing") != std::string::npos);
  CHECK(text.find("workload   not started") != std::string::npos);
  all.nodes.nodes[0].who.roles.workload = false;
  CHECK(status_text(all).find("workload   none") != std::string::npos);
}

TEST_CASE("the table of nodes has a row for each and nothing stale of who is gone") {
  std::ostringstream out;
  write_nodes(out, sample());
  std::istringstream lines{out.str()};
  std::string head;
  std::string m;
  std::string a;
  std::string b;
  std::getline(lines, head);
  std::getline(lines, m);
  std::getline(lines, a);
  std::getline(lines, b);
  CHECK(head.starts_with("node    address"));
  CHECK(m.find("master,workload") != std::string::npos);
  CHECK(m.find("master; workload 0") != std::string::npos);
  CHECK(a.find("owner 0,1; scheduler 0") != std::string::npos);
  CHECK(a.find("12.3 s  64 MiB  8.52MB  here") != std::string::npos);
  CHECK(b.starts_with("node-3"));
  CHECK(b.ends_with("gone"));
  CHECK(b.find("scheduler 1") == std::string::npos);
}

TEST_CASE("a table of nodes that is too wide goes on below, led by the nodes' names") {
  std::ostringstream out;
  write_nodes(out, sample(), 80);
  std::istringstream lines{out.str()};
  int heads = 0;
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 80);
    heads += line.starts_with("node ") ? 1 : 0;
  }
  CHECK(heads >= 2);
}

TEST_CASE("what nodes have sent that have left since counts as traffic") {
  auto all = sample();
  for (auto& r : all.reports)
    r.bytes_sent = r.sync_bytes = 0;
  all.bytes_of_left = 4'000'000;
  all.sync_bytes_of_left = 1'000'000;
  CHECK(status_text(all).find("4.00MB between nodes") != std::string::npos);
  CHECK(status_text(all).find("snapshots 25.0 %") != std::string::npos);
}

TEST_CASE("long lists of members are counted") {
  node_report r;
  CHECK(residents_text(r) == "-");
  for (std::uint32_t i = 0; i < 5; ++i)
    r.members.push_back({role::owner, i, 1});
  r.members.push_back({role::scheduler, 3, 1});
  CHECK(residents_text(r) == "5 owners; scheduler 3");
}

TEST_CASE("a node is empty once it drains and no owner, no scheduler and no task is left") {
  node_report r;
  r.members = {{role::master, 0, 1}};
  CHECK_FALSE(is_empty(r)); // a task may begin at any time
  r.draining = true;
  CHECK(is_empty(r));
  r.tasks_running = 1;
  CHECK_FALSE(is_empty(r));
  r.tasks_running = 0;
  r.members.push_back({role::scheduler, 0, 1});
  CHECK_FALSE(is_empty(r));
}

TEST_CASE("programs get the same as JSON") {
  const auto j = cluster_json(sample());
  CHECK(j["workload"]["submitted"] == 34'000);
  CHECK(j["workload"]["finished"] == 30'588);
  CHECK(j["workload"]["over"] == false);
  CHECK(j["schedulers"]["wanted"] == 2);
  CHECK(j["schedulers"]["here"] == 1);
  CHECK(j["machines"]["here"] == 3000);
  REQUIRE(j["nodes"].size() == 3);
  CHECK(j["nodes"][1]["members"][1]["incarnation"] == 2);
  CHECK(j["nodes"][2]["state"] == "gone");
  auto idle = sample();
  idle.reports.clear();
  CHECK(cluster_json(idle)["workload"].is_null());
  CHECK_FALSE(j["machines"].contains("most"));
  auto growing = sample();
  growing.grows = true;
  growing.machines = 9000;
  const auto grown = cluster_json(growing)["machines"];
  CHECK(grown["wanted"] == 5000);
  CHECK(grown["here"] == 3000);
  CHECK(grown["most"] == 9000);
}

TEST_CASE("of owners nothing is said where there are none, and an allocator is named") {
  auto all = sample();
  CHECK(residents_text(all.reports[0]).find("allocator") == std::string::npos);
  all.reports[0].members.push_back({role::allocator, 0, 64});
  CHECK(residents_text(all.reports[0]) == "master; allocator; workload 0");
  CHECK(status_text(all).find("\nowners ") != std::string::npos);
  std::erase_if(all.places, [](const member_entry& p) { return p.what == role::owner; });
  CHECK(status_text(all).find("\nowners ") == std::string::npos);
}

TEST_CASE("what comes from other hosts cannot steer the terminal") {
  auto all = sample();
  all.name = "a\nworkload   over";
  all.nodes.nodes[1].who.host = "\x1b[2J10.0.0.2";
  CHECK(status_text(all).starts_with("cluster    a\\nworkload   over (parsync)"));
  std::ostringstream out;
  write_nodes(out, all);
  CHECK(out.str().find('\x1b') == std::string::npos);
  CHECK(out.str().find("\\x1b[2J10.0.0.2:7400") != std::string::npos);
}

TEST_CASE("clocks are shown once they differ by more than can be measured") {
  auto all = sample();
  const auto nodes = [&] {
    std::ostringstream out;
    write_nodes(out, all);
    return out.str();
  };
  all.reports[1].clock_known = true;
  all.reports[1].clock_ahead_ns = -12'340'000;
  all.reports[1].clock_error_ns = 12'000'000;
  CHECK(nodes().find("clock") == std::string::npos);
  all.reports[1].clock_error_ns = 200'000;
  CHECK(nodes().find("clock") != std::string::npos);
  CHECK(nodes().find("-12.34 ms") != std::string::npos);
  CHECK(cluster_json(all)["nodes"][1]["clock_ahead_ms"] == -12.34);
  CHECK_FALSE(cluster_json(all)["nodes"][0].contains("clock_ahead_ms"));
}

TEST_CASE("a cluster that has not begun says what is missing") {
  auto all = sample();
  all.origin = 0;
  all.nodes.missing = "2000 of 5000 machines are missing";
  CHECK(status_text(all).find("not begun: 2000 of 5000 machines are missing") != std::string::npos);
}
