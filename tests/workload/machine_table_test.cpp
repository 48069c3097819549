#include "workload/formats/machine_table.hpp"
#include "workload/trace_files.hpp"

#include <doctest/doctest.h>

namespace troupe {

namespace {

using namespace std::chrono_literals;
using test::temp_directory;
using test::temp_file;
using counts = std::map<std::string, std::uint64_t>;

machine_table read_table(const std::string& text, machine_trace_settings settings = {}) {
  const temp_file file{text};
  settings.file = file.path();
  return read_machines(settings);
}

resources table_units(std::int32_t cpu, std::int32_t memory) {
  resources r;
  r[resource::cpu] = cpu;
  r[resource::memory] = memory;
  return r;
}

const std::string events = "0,5,0,p1,0.5,0.25\n"
                           "0,6,0,p2,1,1\n"
                           "0,7,0,p1,,\n"
                           "700000000,5,1,p1,0.5,0.25\n"
                           "800000000,5,0,p1,0.5,0.5\n"
                           "900000000,6,2,p2,0.75,1\n"
                           "900000000,6,2,p2,0.75,1\n"
                           "1000000000,8,0,p1,0.5,0.25\n";

} // namespace

TEST_CASE("machines of a Google trace join, leave and change") {
  const auto table = read_table(events);
  REQUIRE(table.machines.size() == 3);
  CHECK(table.present() == 2);
  CHECK(table.machines[0].name == "5");
  CHECK(table.machines[0].at_begin == table_units(500000, 250000));
  CHECK(table.machines[0].greatest == table_units(500000, 500000));
  CHECK(table.machines[1].greatest == table_units(1000000, 1000000));
  CHECK(table.machines[2].at_begin == resources{});
  CHECK(table.kinds.size() == 2);
  CHECK(table.kinds[table.machines[1].kind].attributes.at("platform") == "p2");
  REQUIRE(table.changes.size() == 4);
  CHECK(table.changes[0].at == 100s);
  CHECK(table.changes[0].capacity.is_zero());
  CHECK(table.changes[1].at == 200s);
  CHECK(table.changes[1].capacity == table_units(500000, 500000));
  CHECK(table.changes[2].machine == 1);
  CHECK(table.changes[3].machine == 2);
  CHECK(table.leaves == 1);
  CHECK(table.joins == 2);
  CHECK(table.resizes == 1);
  CHECK(table.rows == 8);
  CHECK(table.events == counts{{"ADD", 5}, {"REMOVE", 1}, {"UPDATE", 2}, {"without capacity", 1}});
  CHECK(table.skipped == counts{{"row without capacity", 1}});
}

TEST_CASE("the machines are those at the time at which the run begins") {
  machine_trace_settings settings;
  settings.from = 250s;
  settings.speedup = 10;
  const auto table = read_table(events, settings);
  CHECK(table.machines[0].at_begin == table_units(500000, 500000));
  REQUIRE(table.changes.size() == 2);
  CHECK(table.changes[0].at == 5s);
  settings.churn = false;
  const auto still = read_table(events, settings);
  CHECK(still.machines.size() == 2);
  CHECK(still.changes.empty());
  CHECK(still.skipped.at("machine that is never there") == 1);
}

TEST_CASE("attributes of a Google trace make kinds of machines") {
  const temp_directory here;
  here.write("machine_events/part-00000-of-00001.csv", events);
  here.write(
    "machine_attributes/part-00000-of-00001.csv.gz",
    test::gzip(
      "0,5,ssd,yes,0\n0,6,ssd,no,0\n300000000,6,ssd,,1\n0,8,ssd,yes,0\n700000000,8,ssd,no,0\n"));
  machine_trace_settings settings;
  settings.file = here.path();
  const auto table = read_machines(settings);
  const auto& of = [&](std::size_t i) { return table.kinds[table.machines[i].kind].attributes; };
  CHECK(of(0).at("ssd") == "yes");
  CHECK(of(1).count("ssd") == 0);
  CHECK(of(2).at("ssd") == "yes");
  CHECK(table.machines[0].kind == table.machines[2].kind);
}

TEST_CASE("machines of Alibaba that are in use are there, by their latest row") {
  const auto table = read_table("m_1,0,1,abc,96,100,USING\n"
                                "m_1,50,1,abc,96,50,USING\n"
                                "m_1,20,1,abc,64,100,USING\n"
                                "m_2,0,2,abc,96,100,IMPORT_INSTALLING\n"
                                "m_3,0,2,xyz,96,100,USING\r\n");
  REQUIRE(table.machines.size() == 2);
  CHECK(table.machines[0].at_begin == table_units(96000, 51200));
  CHECK(table.kinds[table.machines[1].kind].attributes ==
        std::map<std::string, std::string>{{"failure_domain_1", "2"}, {"failure_domain_2", "xyz"}});
  CHECK(table.skipped == counts{{"machine not in use", 1}, {"older row of a machine", 1}});
}

TEST_CASE("nodes of openb have cards of a model") {
  const auto table = read_table(
    "sn,cpu_milli,memory_mib,gpu,model\nn0,32000,262144,0,\nn1,96000,786432,8,V100M32\n");
  REQUIRE(table.machines.size() == 2);
  CHECK(table.machines[1].at_begin[resource::gpu] == 8000);
  CHECK(table.kinds[table.machines[1].kind].attributes.at("model") == "V100M32");
  CHECK(table.kinds[table.machines[0].kind].attributes.empty());
}

TEST_CASE("an SWF log says how many nodes there were") {
  const auto table =
    read_table("; MaxNodes: 4\n; MaxProcs: 10\n1 0 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1\n");
  REQUIRE(table.machines.size() == 4);
  CHECK(table.machines[0].at_begin == resources::of_slots(3));
  CHECK(table.machines[3].at_begin == resources::of_slots(2));
  CHECK_THROWS_AS(read_table("; Version: 2.2\n1 0 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1\n"),
                  std::runtime_error);
}

TEST_CASE("a table of machines that cannot be used is refused") {
  CHECK_THROWS_AS(read_table("1.5 1 2 2\n"), std::runtime_error);
  CHECK_THROWS_AS(read_table("0,5,0,p1,,\n"), std::runtime_error);
  CHECK_THROWS_AS(read_table("70000000000000000,6,2,p2,0.75,1\n"), std::runtime_error);
  std::string message;
  try {
    read_table("0,5,0,p1,0.5,0.25\n0,6,0,p1,x,0.25\n");
  } catch (const std::runtime_error& e) {
    message = e.what();
  }
  CHECK(message.find(":2: no capacities, ") != std::string::npos);
}

} // namespace troupe
