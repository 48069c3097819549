#include "workload/fit/trace_profile.hpp"
#include "workload/formats/machine_table.hpp"

#include <doctest/doctest.h>

#include <filesystem>

namespace troupe {

namespace {

const std::string data = TROUPE_SOURCE_DIR "/../shared/data/";

/// Returns whether a file of real data is there; says so if not.
bool is_there(const std::string& name) {
  const bool there = std::filesystem::exists(data + name);
  if (!there)
    MESSAGE("left out: there is no " << data + name);
  return there;
}

} // namespace

TEST_CASE("the sample of Google's task events holds the jobs that it should") {
  const std::string name = "google2011_task_events_sample.csv.gz";
  if (!is_there(name))
    return;
  const auto p = profile_trace(data + name, {});
  CHECK(p.rows == 24'926);
  CHECK(p.skipped.at("before the trace began") == 298);
  CHECK(p.events.at("without a request") == 20);
  CHECK_FALSE(
    p.events.contains("later parts of jobs, as jobs")); // none comes late in so short a time
  CHECK(p.jobs + p.skipped.at("job of which no task is left") == 882);
  CHECK(p.malformed == 0);
}

TEST_CASE("Google's machine events hold the machines that they should") {
  const std::string name = "google2011_machine_events.csv.gz";
  if (!is_there(name))
    return;
  machine_trace_settings settings;
  settings.file = data + name;
  const auto table = read_machines(settings);
  CHECK(table.rows == 37'780);
  CHECK(table.present() == 12'477);
  CHECK(table.events.at("ADD") == 21'443);
  CHECK(table.events.at("REMOVE") == 8'957);
  CHECK(table.events.at("UPDATE") == 7'380);
  CHECK(table.skipped.at("row without capacity") == 32);
}

TEST_CASE("openb holds the nodes and pods that it should") {
  if (!is_there("openb_pod_list_gpuspec33.csv") || !is_there("openb_node_list_all_node.csv"))
    return;
  const auto p = profile_trace(data + "openb_pod_list_gpuspec33.csv", {});
  CHECK(p.rows == 8'152);
  CHECK(p.jobs + p.skipped.at("never scheduled") == 8'152);
  machine_trace_settings settings;
  settings.file = data + "openb_node_list_all_node.csv";
  CHECK(read_machines(settings).machines.size() == 1'523);
}

} // namespace troupe
