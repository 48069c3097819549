#include "cli/process.hpp"
#include "cli/samples.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace troupe::test;

namespace {

/// Two pods that ran and one that did not.
constexpr const char* pods =
  "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,creation_time,deletion_time,"
  "scheduled_time\n"
  "a,2000,4096,1,500,T4,LS,0,10,1\nb,4000,8192,2,1000,,BE,5,25,5\nc,4000,8192,2,1000,,BE,6,,\n";

constexpr const char* nodes = "sn,cpu_milli,memory_mib,gpu,model\n"
                              "n0,32000,65536,2,T4\nn1,32000,65536,2,P100\nn2,32000,65536,0,\n";

} // namespace

TEST_CASE("trace prints what is in a trace, as a table and as JSON") {
  const scratch here;
  here.write("openb_pods.csv", pods);
  here.write("openb_nodes.csv", nodes);
  const auto table = here.run({"trace", "openb_pods.csv", "--machines", "openb_nodes.csv"});
  CAPTURE(table.err);
  CHECK(table.code == 0);
  CHECK(contains(table.out, "format            openb, 3 rows"));
  CHECK(contains(table.out, "jobs              2\n"));
  CHECK(contains(table.out, "1  never scheduled"));
  CHECK(contains(table.out, "machines          3, 3 there at the beginning"));
  const auto json = here.run(
    {"trace", "openb_pods.csv", "--machines", "openb_nodes.csv", "--json", "--set", "from=5s"});
  CHECK(json.code == 0);
  const auto what = nlohmann::json::parse(json.out);
  CHECK(what.at("workload").at("jobs") == 1);
  CHECK(what.at("workload").at("quantiles").at("gpu").at("max") == 2);
  CHECK(what.at("workload").at("skipped").at("before the window") == 1);
  CHECK(what.at("cluster").at("machines") == 3);
}

TEST_CASE("a table of machines alone is printed too") {
  const scratch here;
  here.write("nodes.csv", nodes);
  const auto table = here.run({"trace", "nodes.csv"});
  CHECK(table.code == 0);
  CHECK(contains(table.out, "machines          3"));
  CHECK_FALSE(contains(table.out, "jobs"));
}

TEST_CASE("a fitted workload says how near it is and can be run") {
  const scratch here;
  here.write("openb_pods.csv", pods);
  here.write("openb_nodes.csv", nodes);
  const auto fit = here.run({"trace", "fit", "openb_pods.csv", "--machines", "openb_nodes.csv",
                             "--out", "fit.toml", "--phases", "2"});
  CAPTURE(fit.err);
  CHECK(fit.code == 0);
  CHECK(contains(fit.out, "duration s"));
  CHECK(contains(read_file(here.path() / "fit.toml"), "Kolmogorov-Smirnov"));
  const auto run = here.run({"run", "fit.toml", "--out", "out"});
  CAPTURE(run.err);
  CHECK(run.code == 0);
}

TEST_CASE("a fitted workload is named by its trace, also by a directory") {
  const scratch here;
  std::filesystem::create_directories(here.path() / "my v1.0");
  here.write("my v1.0/openb_pods.csv", pods);
  here.write("my v1.0/openb_node_list_all_node.csv", nodes);
  const auto fit = here.run({"trace", "fit", "my v1.0/"});
  CAPTURE(fit.err);
  CHECK(fit.code == 0);
  CHECK(contains(fit.out, "the workload is in my v1.0-fit.toml; run it with: troupe run "
                          "'my v1.0-fit.toml'\n"));
  CHECK(std::filesystem::exists(here.path() / "my v1.0-fit.toml"));
}

TEST_CASE("trace refuses settings that only a run follows") {
  const scratch here;
  here.write("jobs.tr", "0 1 5 5\n1 2 5 5 5\n");
  for (const char* set : {"replicas=2", "jitter=1s"}) {
    CAPTURE(set);
    for (const std::vector<std::string>& command : {std::vector<std::string>{"trace", "jobs.tr"},
                                                    {"trace", "fit", "jobs.tr"},
                                                    {"trace", "convert", "jobs.tr", "out.tr"}}) {
      auto arguments = command;
      arguments.insert(arguments.end(), {"--set", set});
      const auto refused = here.run(arguments);
      CHECK(refused.code == 2);
      CHECK(contains(refused.err, "expected them as workload.trace.replicas and "
                                  "workload.trace.jitter of a run"));
    }
  }
  CHECK_FALSE(std::filesystem::exists(here.path() / "out.tr"));
  CHECK(here.run({"trace", "jobs.tr", "--set", "replicas=1"}).code == 0);
}

TEST_CASE("a trace is converted to .tr and says what is lost") {
  const scratch here;
  here.write("openb_pods.csv", pods);
  const auto convert = here.run({"trace", "convert", "openb_pods.csv", "pods.tr"});
  CAPTURE(convert.err);
  CHECK(convert.code == 0);
  CHECK(read_file(here.path() / "pods.tr") == "0 1 9 9\n5 1 20 20\n");
  CHECK(contains(convert.out, "2 jobs lost: request"));
  CHECK(contains(convert.out, "1 left out: never scheduled"));
  CHECK(here.run({"trace", "convert", "pods.tr", "pods.tr"}).code == 2);
}

TEST_CASE("the trace that is read is not overwritten, also by a link") {
  const scratch here;
  here.write("pods.csv", pods);
  here.write("nodes.csv", nodes);
  std::filesystem::create_symlink("pods.csv", here.path() / "soft.csv");
  std::filesystem::create_hard_link(here.path() / "pods.csv", here.path() / "hard.csv");
  for (const auto* out : {"pods.csv", "soft.csv", "hard.csv", "nodes.csv"}) {
    CAPTURE(out);
    const auto fit =
      here.run({"trace", "fit", "pods.csv", "--machines", "nodes.csv", "--out", out});
    CHECK(fit.code == 2);
    CHECK(contains(fit.err, std::string{out} + ": is the trace itself; expected another file"));
  }
  CHECK(here.run({"trace", "convert", "pods.csv", "hard.csv"}).code == 2);
  CHECK(read_file(here.path() / "pods.csv") == pods);
  CHECK(read_file(here.path() / "nodes.csv") == nodes);
}

TEST_CASE("traces and settings that cannot be used are refused") {
  const scratch here;
  here.write("jobs.tr", tiny_trace);
  CHECK(here.run({"trace"}).code == 2);
  const auto missing = here.run({"trace", "nothing.tr"});
  CHECK(missing.code == 2);
  CHECK(missing.err == "troupe: nothing.tr: no such file\n");
  const auto unknown = here.run({"trace", "jobs.tr", "--set", "speedupp=2"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "speedup"));
  const auto machines = here.run({"trace", "jobs.tr", "--machines", "jobs.tr"});
  CHECK(machines.code == 2);
  CHECK(contains(machines.err, "no table of machines"));
}

TEST_CASE("a broken table of machines is refused, and one that is not there is left out") {
  const scratch here;
  std::filesystem::create_directories(here.path() / "g");
  here.write("g/task_events.csv", "601000000,,5,0,,0,u,0,0,0.1,0.1,,0\n"
                                  "602000000,,5,0,1,1,u,0,0,0.1,0.1,,0\n"
                                  "612000000,,5,0,1,4,u,0,0,0.1,0.1,,0\n");
  here.write("g/machine_events.csv", "0,5,0,p,0.5\n0,6,0,p,0.5\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"trace", "g"}, {"trace", "fit", "g", "--out", "fit.toml"}}) {
    const auto run = here.run(command);
    CHECK(run.code == 2);
    CHECK(contains(run.err, "machine_events.csv"));
    CHECK(contains(run.err, "this row has not 6 fields"));
  }
  CHECK_FALSE(std::filesystem::exists(here.path() / "fit.toml"));
  here.write("log.swf", "; no numbers\n1 0 -1 9 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n");
  here.write("jobs.rec",
             "{\"recording\":1,\"from_ms\":1,\"to_ms\":60001}\n{\"job\":\"1\",\"at_s\":1,"
             "\"groups\":[{\"demand\":{\"cpu\":500},\"durations_s\":[5]}]}\n");
  for (const char* file : {"log.swf", "jobs.rec"}) {
    const auto run = here.run({"trace", file});
    CAPTURE(run.err);
    CHECK(run.code == 0);
    CHECK_FALSE(contains(run.out, "machines  "));
    CHECK(here.run({"trace", file, "--machines", file}).code == 2);
  }
}

TEST_CASE("a run on a trace's machines has as many as it has") {
  const scratch here;
  here.write("openb_pods.csv", pods);
  here.write("openb_nodes.csv", nodes);
  here.write("run.toml", "schedulers = 1\n[cluster]\npartitions = 1\nowners = 1\n"
                         "[workload]\nkind = \"trace\"\n");
  const std::vector<std::string> base{"run",   "run.toml",
                                      "--set", "workload.file=openb_pods.csv",
                                      "--set", "cluster.trace.file=openb_nodes.csv",
                                      "--out", "out"};
  const auto run = here.run(base);
  CAPTURE(run.err);
  CHECK(run.code == 0);
  CHECK(contains(run.out, "3 machines"));
  CHECK(contains(read_file(here.path() / "out" / "config.toml"), "machines = 3"));
  CHECK(here.run({"run", "--verify", "out"}).code == 0);
  auto many = base;
  many.insert(many.end(), {"--set", "cluster.partitions=4"});
  const auto refused = here.run(many);
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "partitions = 4 are more than the 3 machines"));
}

TEST_CASE("a trace that is refused ends the program with 2, wherever it is read") {
  const scratch here;
  here.write("tiny.toml", tiny_trace_settings);
  here.write("log.swf", "; MaxNodes: 4\n; MaxProcs: 4\n"
                        "1 0 -1 1 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n"
                        "2 1 -1 1 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n");
  const auto probes = here.run(
    {"run", "tiny.toml", "--set", "workload.file=log.swf", "--set", "architecture=sparrow"});
  CHECK(probes.code == 2);
  CHECK(contains(probes.err, "a job of it is a gang of 4 tasks"));
  CHECK(here.run({"trace", "."}).code == 2); // a directory without tables
  CHECK(here.run({"run", "tiny.toml", "--set", "workload.file=."}).code == 2);
}
