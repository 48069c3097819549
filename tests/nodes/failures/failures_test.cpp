#include "cli/process.hpp"
#include "failures/fault_trial.hpp"
#include "failures/second_counts.hpp"
#include "nodes/rows_settings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <future>
#include <ranges>
#include <string>
#include <vector>

using namespace troupe::test;
using namespace troupe::trials;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t rate = 200;

struct tried {
  trial_figures figures;
  std::vector<log_line> log; ///< of the node that has failed
};

/// A node that is started again needs some seconds on a busy host.
const char* length_for(fault_action action) {
  return action == fault_action::restart ? "10s" : "5s";
}

tried try_small(const fault_row& row) {
  const scratch here;
  here.write("rows.toml", rows_settings(length_for(row.action), rate));
  trial_plan plan;
  plan.troupe = TROUPE_PROGRAM;
  plan.directory = here.path() / "trial";
  plan.config = here.path() / "rows.toml";
  plan.machines = 80;
  plan.machine_nodes = 2;
  plan.fault_at = 1s;
  const auto figures = try_fault(row, plan);
  return {figures, read_log(plan.directory / (row.node + ".log"))};
}

bool says(const std::vector<log_line>& log, const std::string& part) {
  return std::ranges::any_of(
    log, [&](const log_line& line) { return line.text.find(part) != std::string::npos; });
}

std::string last_lines(const std::vector<log_line>& log) {
  std::string text;
  for (const auto& line :
       log | std::views::drop(log.size() - std::min<std::size_t>(log.size(), 30)))
    text += line.text + '\n';
  return text;
}

/// No task is lost, none has run twice, and only those that were hit were placed anew.
void check_tasks(const fault_row& row, const trial_figures& figures) {
  CHECK(figures.submitted > 700);
  CHECK(figures.finished == figures.submitted);
  CHECK(figures.not_finished == 0);
  CHECK(figures.jobs_finished == figures.jobs_submitted);
  CHECK(figures.twice == 0);
  CHECK(figures.checks);
  CHECK(figures.extra >= 0);
  if (hit_machines(row).empty() || row.action == fault_action::leave)
    CHECK(figures.extra == 0);
  else // what ran there, and what was sent there before that was noticed
    CHECK(static_cast<std::uint64_t>(figures.extra) <= figures.ran_there + 4 * rate);
}

/// Tries all rows of an action, two at a time: they wait more than they work.
void check_rows(fault_action action,
                const std::function<void(const fault_row&, const tried&)>& more) {
  std::vector<const fault_row*> rows;
  for (const auto& row : fault_rows())
    if (row.action == action)
      rows.push_back(&row);
  const auto begin = [&](std::size_t n) {
    return std::async(std::launch::async, [row = rows[n]] { return try_small(*row); });
  };
  std::vector<std::future<tried>> trials;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    while (trials.size() < std::min(rows.size(), n + 2))
      trials.push_back(begin(trials.size()));
    INFO(rows[n]->name);
    const auto found = trials[n].get();
    check_tasks(*rows[n], found.figures);
    CHECK(found.figures.detected);
    more(*rows[n], found);
  }
}

} // namespace

TEST_CASE("a node of any role that is killed is replaced, and no task is lost") {
  check_rows(fault_action::kill, [](const fault_row& row, const tried& found) {
    CHECK(found.figures.replaced);
    CHECK(found.figures.grants.has_value() == (row.node == "o1"));
  });
}

TEST_CASE("a master that is killed and comes later is joined by all") {
  check_rows(fault_action::outage,
             [](const fault_row&, const tried& found) { CHECK(found.figures.replaced); });
}

TEST_CASE("a node that stands still is replaced and gives its places up when it goes on") {
  check_rows(fault_action::freeze, [](const fault_row& row, const tried& found) {
    if (row.node != "o1" && row.node != "s1")
      return;
    CHECK(found.figures.replaced);
    CHECK(says(found.log, "another one has taken over from incarnation 1"));
  });
}

TEST_CASE("a node that is killed and started at once takes part again") {
  check_rows(fault_action::restart, [](const fault_row&, const tried& found) {
    CHECK(std::ranges::count_if(found.log, [](const log_line& line) {
            return line.text.find("connection to w is up") != std::string::npos;
          }) >= 2);
  });
}

TEST_CASE("a node that shuts down gracefully costs no placement") {
  check_rows(fault_action::leave, [](const fault_row&, const tried& found) {
    CAPTURE(last_lines(found.log));
    CHECK(found.figures.exit_code.value_or(-1) == 0);
    CHECK(says(found.log, ": draining"));
  });
}
