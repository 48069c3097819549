#include "failures/fault_trial.hpp"

#include "failures/second_counts.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <thread>

namespace troupe::trials {

namespace {

using wall_clock = std::chrono::system_clock;

const json* find_node(const json& status, const std::string& name) {
  for (const auto& node : status["nodes"])
    if (node["name"] == name)
      return &node;
  return nullptr;
}

std::uint64_t sum_of(const json& status, const std::string& what) {
  std::uint64_t sum = 0;
  for (const auto& node : status["nodes"])
    sum += node.value(what, std::uint64_t{0});
  return sum;
}

/// Returns the logs of all nodes except one.
std::vector<log_line> logs_without(const trial_cluster& cluster, const std::string& name) {
  std::vector<log_line> all;
  for (const auto& node : cluster.plan().nodes)
    if (node.name != name)
      std::ranges::copy(cluster.log(node.name), std::back_inserter(all));
  return all;
}

/// Returns the owners and schedulers that live on a node, such as "owner 3", by the log lines of
/// their latest incarnations.
std::vector<std::string> members_on(const trial_cluster& cluster, const std::string& name) {
  std::map<std::string, std::pair<int, std::string>> homes; // the latest incarnation and its node
  for (const auto& node : cluster.plan().nodes)
    for (const auto& line : cluster.log(node.name)) {
      char role[16] = "";
      int number = 0;
      int incarnation = 0;
      if (std::sscanf(line.text.c_str(), "node %*[^:]: %15s %d started here as incarnation %d",
                      role, &number, &incarnation) != 3)
        continue;
      auto& home = homes[role + (' ' + std::to_string(number))];
      home = std::max(home, {incarnation, node.name});
    }
  std::vector<std::string> members;
  for (const auto& [who, home] : homes)
    if (home.second == name)
      members.push_back(who);
  return members;
}

class trial {
public:
  trial(const fault_row& row, const trial_plan& plan)
    : row_(row), plan_(plan), cluster_(cluster_for(row, plan)) {}

  trial_figures run() {
    cluster_.start();
    before_ = cluster_.wait_for_work(plan_.fault_at);
    strike();
    if (has_duration(row_.action)) {
      hold();
      undo();
    }
    cluster_.wait_for("the results are written", [&] {
      return read_text(cluster_.plan().directory / "w.out").find("results in") != std::string::npos;
    });
    read_results();
    read_times();
    if (has_duration(row_.action) || row_.action == fault_action::restart)
      figures_.whole = lines_are_up();
    return figures_;
  }

private:
  cluster_process& victim() { return cluster_.process(row_.node); }

  void strike() {
    members_ = members_on(cluster_, row_.node);
    moment_ = undone_ = wall_clock::now();
    switch (row_.action) {
    case fault_action::kill:
    case fault_action::outage:
    case fault_action::restart:
      victim().send(SIGKILL);
      victim().wait();
      if (row_.action == fault_action::restart)
        cluster_.start(row_.node);
      break;
    case fault_action::freeze:
      victim().send(SIGSTOP);
      break;
    case fault_action::leave:
      victim().send(SIGTERM);
      figures_.exit_code = victim().wait();
      break;
    case fault_action::cut:
      if (row_.other.empty())
        cluster_.network().cut(cluster_.host_of(row_.node));
      else
        cluster_.network().cut(cluster_.host_of(row_.node), cluster_.host_of(row_.other));
      break;
    }
  }

  void hold() {
    if (plan_.for_)
      std::this_thread::sleep_until(moment_ + *plan_.for_);
    else
      cluster_.wait_for("others have noticed that " + row_.name, [&] { return is_noticed(); });
  }

  void undo() {
    undone_ = wall_clock::now();
    if (row_.action == fault_action::outage)
      cluster_.start(row_.node);
    else if (row_.action == fault_action::freeze)
      victim().send(SIGCONT);
    else if (row_.other.empty())
      cluster_.network().heal(cluster_.host_of(row_.node));
    else
      cluster_.network().heal(cluster_.host_of(row_.node), cluster_.host_of(row_.other));
  }

  /// The connection is down, and the members concerned are replaced.
  bool is_noticed() {
    read_times();
    const bool replaceable = row_.other.empty() || row_.other == "m";
    return figures_.detected && (figures_.replaced || !replaceable || row_.node == "m" ||
                                 row_.node == "w" || row_.node.starts_with('h'));
  }

  void read_results() {
    const auto summary = cluster_.wait_for_summary();
    const auto& tasks = summary["tasks"];
    figures_.submitted = tasks["submitted"];
    figures_.finished = tasks["finished"];
    figures_.not_finished = tasks["failed"].get<std::uint64_t>() +
                            tasks["lost"].get<std::uint64_t>() +
                            tasks["abandoned"].get<std::uint64_t>();
    figures_.twice = summary["duplicate_grants"];
    figures_.jobs_submitted = summary["jobs"]["submitted"];
    figures_.jobs_finished = summary["jobs"]["finished"];
    figures_.checks = std::ranges::all_of(
      summary["checks"], [](const json& check) { return check["passed"].get<bool>(); });
    figures_.in_flight = sum_of(before_, "tasks_running");
    for (const auto& name : hit_machines(row_))
      if (const auto* node = find_node(before_, name))
        figures_.ran_there += (*node)["tasks_running"].get<std::uint64_t>();
    const double at = before_["workload"]["time_s"];
    figures_.slowest = slowest_second(cluster_.results() / "timeseries.csv", at);
    // If only machines died, the live schedulers know what was started there. Otherwise schedulers
    // may have died, and the machines know it better.
    const auto finished = static_cast<std::int64_t>(figures_.finished);
    if (machines_die(row_)) {
      figures_.extra = tasks["placed"].get<std::int64_t>() - finished;
      return;
    }
    cluster_.wait_for("all nodes have told what they have run", [&] {
      const auto now = cluster_.status();
      if (!now.is_object() || sum_of(now, "tasks_running") > 0)
        return false;
      figures_.extra = static_cast<std::int64_t>(sum_of(now, "tasks_launched")) - finished;
      return figures_.extra >= 0;
    });
  }

  void read_times() {
    const auto others = logs_without(cluster_, row_.node);
    figures_.detected =
      first_after(others, moment_,
                  row_.action == fault_action::leave ? row_.node + " has shut down gracefully"
                                                     : "connection to " + row_.node + " is down");
    figures_.replaced.reset();
    figures_.grants.reset();
    if (row_.node == "m")
      figures_.replaced = last_rejoined();
    if (!row_.other.empty() && row_.other != "m")
      return;
    if (row_.node.starts_with('h'))
      figures_.replaced = first_after(others, moment_, "machines are silent and given up");
    std::optional<milliseconds> first_replaced;
    bool all_replaced = true;
    bool all_grant = true;
    for (const auto& who : members_) {
      auto all = others;
      if (row_.action == fault_action::restart)
        std::ranges::copy(cluster_.log(row_.node), std::back_inserter(all));
      const auto replaced = first_after(all, moment_, who + " started here as incarnation");
      if (replaced)
        first_replaced = std::min(first_replaced.value_or(*replaced), *replaced);
      extend(figures_.replaced, all_replaced, replaced);
      if (who.starts_with("owner"))
        extend(figures_.grants, all_grant,
               first_after(all, moment_, who + ": grants in incarnation"));
    }
    if (first_replaced)
      figures_.detected = std::min(figures_.detected.value_or(*first_replaced), *first_replaced);
    if (!all_replaced)
      figures_.replaced.reset();
    if (!all_grant)
      figures_.grants.reset();
  }

  static void extend(std::optional<milliseconds>& to, bool& all,
                     const std::optional<milliseconds>& at) {
    all = all && at.has_value();
    if (at)
      to = std::max(to.value_or(*at), *at);
  }

  /// Returns when the last connection that was down was up again, from the end of the fault.
  std::optional<milliseconds> lines_are_up() const {
    std::optional<milliseconds> last;
    for (const auto& node : cluster_.plan().nodes) {
      const auto log = cluster_.log(node.name);
      if (!first_after(log, moment_, "connection to " + row_.node + " is down"))
        continue;
      const auto at = first_after(log, undone_, "connection to " + row_.node + " is up");
      if (!at)
        return std::nullopt;
      last = std::max(last.value_or(*at), *at);
    }
    return last;
  }

  /// Returns when the last of the other nodes had a connection to the master again.
  std::optional<milliseconds> last_rejoined() const {
    std::optional<milliseconds> last;
    for (const auto& node : cluster_.plan().nodes)
      if (node.name != row_.node) {
        const auto at = first_after(cluster_.log(node.name), moment_, "connection to m is up");
        if (!at)
          return std::nullopt;
        last = std::max(last.value_or(*at), *at);
      }
    return last;
  }

  const fault_row& row_;
  const trial_plan& plan_;
  trial_cluster cluster_;
  json before_;
  std::vector<std::string> members_; ///< of the node, before the fault
  wall_clock::time_point moment_;
  wall_clock::time_point undone_;
  trial_figures figures_;
};

} // namespace

cluster_plan cluster_for(const fault_row& row, const trial_plan& plan) {
  cluster_plan cluster;
  cluster.troupe = plan.troupe;
  cluster.directory = plan.directory;
  cluster.config = plan.config;
  cluster.overrides = plan.overrides;
  cluster.overrides.push_back("cluster.machines=" + std::to_string(plan.machines));
  cluster.overrides.push_back("architecture=" + plan.architecture);
  cluster.patience = plan.patience;
  cluster.nodes = {{"m", "master"}, {"w", "workload"}};
  if (has_owners(plan.architecture))
    cluster.nodes.insert(cluster.nodes.end(), {{"o1", "owner"}, {"o2", "owner"}});
  cluster.nodes.insert(cluster.nodes.end(), {{"s1", "scheduler"}, {"s2", "scheduler"}});
  for (std::uint32_t n = 0; n < plan.machine_nodes; ++n) {
    const auto more = n < plan.machines % plan.machine_nodes ? 1U : 0U;
    cluster.nodes.push_back(
      {"h" + std::to_string(n + 1), "machine", plan.machines / plan.machine_nodes + more});
  }
  if (row.action == fault_action::cut) {
    cluster.hosts = cluster.nodes.size();
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n)
      cluster.nodes[n].host = n;
  }
  return cluster;
}

trial_figures try_fault(const fault_row& row, const trial_plan& plan) {
  return trial{row, plan}.run();
}

} // namespace troupe::trials
