#include "jobs/storm.hpp"

#include "jobs/store/sqlite_database.hpp"
#include "jobs/store/store_tools.hpp"
#include "jobs/storm_jobs.hpp"
#include "jobs/storm_policies.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <random>
#include <set>
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

/// Submits the jobs of the files; a submission is repeated by the client.
std::vector<std::string> submit(trial_cluster& cluster,
                                const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> ids;
  for (const auto& file : files) {
    auto out = run_client(cluster, {"submit", file.string(), "--quiet"});
    if (!out)
      throw std::runtime_error(
        file.string() + " is not accepted: " + read_text(cluster.plan().directory / ".errors"));
    ids.push_back(out->substr(0, out->find('\n')));
  }
  return ids;
}

/// Waits until the first task runs; returns its machine.
std::string home_of_first_task(trial_cluster& cluster) {
  std::string node;
  cluster.wait_for("the first task runs", [&] {
    const auto out = run_client(cluster, {"job", "1", "0", "--json"});
    const auto told = out ? json::parse(*out) : json(nullptr);
    if (!told.is_object() || told["task"]["runs"].empty())
      return false;
    node = told["task"]["runs"].back()["node"].get<std::string>();
    return true;
  });
  return node;
}

bool are_over(trial_cluster& cluster) {
  for (const char* state : {"queued", "running"}) {
    const auto out = run_client(cluster, {"jobs", "--state", state, "--limit", "1", "--json"});
    if (!out || !json::parse(*out)["jobs"].empty())
      return false;
  }
  return true;
}

void read_store(const std::filesystem::path& file, const storm_marks& marks,
                const expected_policies& policies, storm_figures& figures) {
  figures.damage = check_store({file, {}}).faults;
  sqlite_database store{file};
  std::ranges::move(policies.faults_in(store.load().policies),
                    std::back_inserter(figures.other_policies));
  std::set<std::string> known;
  const auto done = marks.attempts("done");
  std::set<std::string> ran;
  for (const auto& name : done)
    ran.insert(name.substr(0, name.rfind('.')));
  constexpr std::size_t all = 100'000;
  for (const auto& job : store.jobs({}, 0, all)) {
    ++figures.jobs;
    for (const auto& task : store.tasks(job.id, 0, job.tasks, std::nullopt, all)) {
      ++figures.tasks;
      const bool succeeded = task.state == task_state::succeeded;
      figures.succeeded += succeeded ? 1 : 0;
      const auto name = std::to_string(job.id) + '.' + std::to_string(task.task);
      figures.lost += succeeded && !ran.contains(name) ? 1 : 0;
      for (const auto& attempt : store.attempts(job.id, task.task)) {
        ++figures.attempts;
        known.insert(to_string(attempt.which));
      }
    }
  }
  const auto begun = marks.attempts("begun");
  figures.started = begun.size();
  for (const auto& name : begun)
    figures.unknown += known.contains(name) ? 0 : 1;
  figures.together = marks.lines_in("together");
  figures.repeated = marks.lines_in("twice");
  figures.out_of_order = marks.lines_in("early");
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
        now.node = home_of_first_task(cluster);
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
  read_store(store_in(plan.directory), marks, policies, figures);
  return figures;
}

bool is_good(const storm_figures& f) {
  return f.tasks > 0 && f.succeeded == f.tasks && f.lost == 0 && f.together == 0 &&
         f.repeated == 0 && f.unknown == 0 && f.out_of_order == 0 && f.damage.empty() &&
         f.other_policies.empty();
}

} // namespace troupe::trials
