#include "jobs/storm.hpp"

#include "jobs/store/sqlite_database.hpp"
#include "jobs/storm_jobs.hpp"
#include "jobs/storm_policies.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <random>
#include <stdexcept>
#include <thread>

namespace troupe::trials {

namespace {

using namespace std::chrono_literals;

/// Every kind of fault for every kind of node, in an order of the seed's. Machines are also frozen
/// for longer than the lease of their tasks.
std::vector<storm_strike> strikes(const cluster_plan& plan, std::mt19937_64& draw) {
  std::vector<storm_strike> all;
  for (const auto& node : plan.nodes) {
    all.push_back({fault_action::outage, node.name, 1s});
    all.push_back({fault_action::freeze, node.name, 3s});
    if (node.name.starts_with('h'))
      all.push_back({fault_action::freeze, node.name, 12s});
    if (plan.hosts > 0)
      all.push_back({fault_action::cut, node.name, node.name.starts_with('h') ? 12s : 4s});
  }
  std::ranges::shuffle(all, draw);
  return all;
}

void begin(trial_cluster& cluster, const storm_strike& s) {
  if (s.action == fault_action::cut)
    return cluster.network().cut(cluster.host_of(s.node));
  auto& victim = cluster.process(s.node);
  victim.send(s.action == fault_action::freeze ? SIGSTOP : SIGKILL);
  if (s.action != fault_action::freeze)
    victim.wait();
}

void end(trial_cluster& cluster, const storm_strike& s) {
  if (s.action == fault_action::cut)
    cluster.network().heal(cluster.host_of(s.node));
  else if (s.action == fault_action::freeze)
    cluster.process(s.node).send(SIGCONT);
  else
    cluster.start(s.node);
}

/// Waits until the command of the first task runs; returns its machine. An attempt is in the store
/// some time before its command begins.
std::string home_of_first_task(trial_cluster& cluster, const storm_marks& marks) {
  std::string node;
  cluster.wait_for("the first task runs", [&] {
    const auto begun = marks.attempts("begun");
    if (std::ranges::none_of(begun, [](auto& attempt) { return attempt.starts_with("1.0."); }))
      return false;
    const auto task = ask_api(cluster, "/api/v1/jobs/1/tasks/0");
    if (!task || (*task)["runs"].empty())
      return false;
    node = (*task)["runs"].back()["node"].get<std::string>();
    return true;
  });
  return node;
}

void compare_policies(const std::filesystem::path& file, const expected_policies& policies,
                      storm_figures& figures) {
  sqlite_database store{file};
  std::ranges::move(policies.faults_in(store.load().policies),
                    std::back_inserter(figures.other_policies));
}

} // namespace

storm_figures try_storm(const jobs_plan& plan, const storm_plan& storm) {
  storm_figures figures;
  const storm_marks marks{plan.directory / "marks"};
  const auto files = write_storm_jobs(storm, marks);
  expected_policies policies;
  {
    trial_cluster cluster{job_cluster(plan)};
    cluster.start();
    wait_for_api(cluster);
    submit(cluster, files);
    policy_setter setter{cluster, storm.seed, policies};
    std::mt19937_64 draw{storm.seed};
    std::vector<storm_strike> next{storm.first.rbegin(), storm.first.rend()};
    const auto until = std::chrono::steady_clock::now() + plan.patience;
    while (!are_over(cluster)) {
      if (std::chrono::steady_clock::now() > until)
        throw std::runtime_error("jobs are not over in time");
      if (figures.faults == storm.faults) {
        std::this_thread::sleep_for(100ms);
        continue;
      }
      std::this_thread::sleep_for(storm.pause);
      if (next.empty())
        next = strikes(cluster.plan(), draw);
      auto now = next.back();
      next.pop_back();
      if (now.node.empty())
        now.node = home_of_first_task(cluster, marks);
      begin(cluster, now);
      setter.begin();
      std::this_thread::sleep_for(now.lasts);
      end(cluster, now);
      setter.end();
      ++figures.faults;
    }
    figures.orders = setter.answered();
    figures.other_policies = setter.faults();
  }
  compare_policies(store_in(plan.directory), policies, figures);
  read_store(store_in(plan.directory), marks, figures);
  return figures;
}

bool is_good(const storm_figures& f) {
  return f.tasks > 0 && f.succeeded == f.tasks && f.lost == 0 && f.together == 0 &&
         f.repeated == 0 && f.unknown == 0 && f.out_of_order == 0 && f.damage.empty() &&
         f.other_policies.empty();
}

} // namespace troupe::trials
