#include "cli/samples.hpp"
#include "cli/shell.hpp"
#include "support/documented_json.hpp"
#include "support/gzip_csv.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

using namespace troupe::test;
namespace fs = std::filesystem;
using plugin_story = nlohmann::json;

namespace {

/// A run with schedulers from a plugin of the tests. There are too few machines.
void run_with_plugin(const scratch& here, const std::string& plugin,
                     const std::vector<std::string>& set) {
  here.write("tiny.toml", tiny_settings);
  std::vector<std::string> command{
    "run",       "tiny.toml",
    "--plugin",  fs::canonical(std::string{TROUPE_PLUGIN_DIR} + "/" + plugin + ".so").string(),
    "--records", "tasks",
    "--out",     "r",
    "--quiet",   "--no-report"};
  for (const auto& s : {"duration=4s", "cluster.machines=8", "workload.tasks_per_job.value=2"})
    command.insert(command.end(), {"--set", s});
  for (const auto& s : set)
    command.insert(command.end(), {"--set", s});
  const auto run = here.run(command);
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
}

plugin_story told_as(const outcome& run, const std::string& section) {
  static const documented_json documented;
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  const auto output = plugin_story::parse(run.out, nullptr, false);
  REQUIRE_FALSE(output.is_discarded());
  for (const auto& fault : documented.faults(section, output))
    FAIL_CHECK(section << ": " << fault);
  return output;
}

std::uint64_t machines_in(const plugin_story& survey) {
  std::uint64_t n = 0;
  for (const auto& c : survey["checks"])
    n += c["machines"].get<std::uint64_t>();
  return n;
}

struct plugin_case {
  const char* plugin;
  std::vector<std::string> set;
};

const plugin_case plugin_cases[] = {
  {"faulty_scheduler", {"scheduler.actor=faulty"}},
  {"faulty_scheduler", {"scheduler.actor=faulty", "failures.watch=on"}},
  {"prober", {"architecture=sparrow", "scheduler.actor=prober"}},
  {"prober", {"architecture=sparrow", "scheduler.actor=prober", "failures.watch=on"}}};

} // namespace

TEST_CASE("explain tells of tasks of a plugin what their records say") {
  for (const auto& [plugin, set] : plugin_cases) {
    CAPTURE(set.back());
    const scratch here;
    run_with_plugin(here, plugin, set);
    const auto rows = gzip_rows(here.path() / "r/tasks.csv.gz");
    REQUIRE(rows.size() > 100);
    for (const auto i : {std::size_t{0}, rows.size() / 2, rows.size() - 1}) {
      const auto& row = rows[i];
      const auto name = row.at("job") + "." + row.at("task");
      CAPTURE(name);
      const auto json =
        told_as(here.run({"explain", name, "--in", "r", "--json", "-q"}), "explain");
      CHECK(json["replayed"] == true);
      const auto& story = json["story"];
      CHECK(story["attempts"].size() == std::stoul(row.at("attempts")));
      const bool over = row.at("state") == "finished";
      CHECK((story["state"] == "finished") == over);
      if (over) {
        CHECK(std::to_string(story["runs"].back()["machine"].get<int>()) == row.at("machine"));
        CHECK(
          json["sentences"][0].get<std::string>().starts_with("Task " + name + " ran on machine "));
      } else {
        CHECK(row.at("reason") != "");
      }
    }
    const auto text = here.run({"explain", rows[0].at("job"), "--in", "r", "-q"});
    CHECK(text.out.starts_with("Job " + rows[0].at("job") + " has 2 tasks "));
  }
}

TEST_CASE("explain names the plugin where nobody else can know") {
  const scratch here;
  run_with_plugin(here, "faulty_scheduler",
                  {"scheduler.actor=faulty", "scheduler.t_task=1ms", "cluster.slots=4",
                   "workload.phases.0.rate=60"});
  const auto rows = gzip_rows(here.path() / "r/tasks.csv.gz");
  const auto refused = std::ranges::find_if(rows, [](const auto& row) {
    return row.at("state") == "finished" && row.at("conflicts") != "0";
  });
  REQUIRE(refused != rows.end());
  const auto name = refused->at("job") + "." + refused->at("task");
  const auto text = here.run({"explain", name, "--in", "r", "-q"});
  CAPTURE(text.out);
  auto flat = text.out;
  flat.erase(
    std::unique(flat.begin(), flat.end(),
                [](char a, char b) { return (a == ' ' || a == '\n') && (b == ' ' || b == '\n'); }),
    flat.end());
  std::ranges::replace(flat, '\n', ' ');
  CHECK(contains(flat, "it waited with its scheduler, whose plugin does not tell why."));
  CHECK(contains(flat, ", whose plugin had picked machine "));
  CHECK(contains(flat, " was refused by owner "));
  CHECK(contains(flat, " committed it, "));
}

TEST_CASE("why-not judges machines for tasks of a plugin") {
  for (const auto& [plugin, set] : plugin_cases) {
    CAPTURE(set.back());
    const scratch here;
    run_with_plugin(here, plugin, set);
    const auto rows = gzip_rows(here.path() / "r/tasks.csv.gz");
    const auto waits = std::ranges::find(rows, std::string{"queued"},
                                         [](const auto& row) { return row.at("state"); });
    REQUIRE(waits != rows.end());
    const auto name = waits->at("job") + "." + waits->at("task");
    const auto all = told_as(here.run({"why-not", name, "--in", "r", "--json", "-q"}), "why-not");
    CHECK(machines_in(all["by_owners"]) == 8);
    CHECK(all["by_view"].is_null());
    CHECK((all["verdict"] == "not_now" || all["verdict"] == "in_doubt"));
    CHECK(all["reason"] == "with_plugin");
    const auto& over = rows.front();
    const auto placed = told_as(here.run({"why-not", over.at("job") + "." + over.at("task"), "5",
                                          "--in", "r", "--json", "-q"}),
                                "why-not");
    CHECK(placed["machine"] == 5);
    CHECK(placed["machine_by_owner"].is_object());
  }
}

TEST_CASE(
  "explain tells of a plugin's tasks in real time from their records, and a timeline shows them") {
  const scratch here;
  run_with_plugin(here, "faulty_scheduler",
                  {"scheduler.actor=faulty", "clock=real", "duration=1s"});
  const auto rows = gzip_rows(here.path() / "r/tasks.csv.gz");
  REQUIRE_FALSE(rows.empty());
  const auto name = rows[0].at("job") + "." + rows[0].at("task");
  const auto json = told_as(here.run({"explain", name, "--in", "r", "--json"}), "explain");
  CHECK(json["replayed"] == false);
  CHECK(contains(json["sentences"][0].get<std::string>(), ", was committed at "));
  const auto drawn = here.run({"run", "r/config.toml", "--set", "clock=virtual", "--timeline",
                               "t.json", "--timeline-machines", "all", "--out", "t", "-q"});
  CAPTURE(drawn.err);
  CHECK(drawn.code == 0);
  CHECK(contains(read_file(here.path() / "t.json"), "\"" + name));
}
