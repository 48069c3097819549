#include "jobs/churn.hpp"

#include "jobs/storm_jobs.hpp"

#include <algorithm>
#include <csignal>
#include <random>
#include <stdexcept>
#include <thread>

namespace troupe::trials {

namespace {

using namespace std::chrono_literals;

constexpr auto pause = 200ms;          // between two changes
constexpr std::uint32_t looked_at = 8; // after so many changes, whether jobs are over
constexpr std::uint64_t of_ten_killed = 1;

/// The machines that are there, and those that will be.
class machine_crowd {
public:
  machine_crowd(trial_cluster& cluster, const churn_plan& plan, node_plan like)
    : cluster_(cluster),
      plan_(plan),
      like_(std::move(like)),
      draw_(plan.jobs.seed),
      here_{like_.name} {}

  void change(churn_figures& figures) {
    const bool joins = here_.size() < 2 || (here_.size() < plan_.most && draw_() % 2 == 0);
    if (joins)
      join(figures);
    else if (draw_() % 10 < of_ten_killed)
      kill(figures);
    else
      leave(figures);
  }

private:
  void join(churn_figures& figures) {
    auto machine = like_;
    machine.name = "m" + std::to_string(++named_);
    here_.push_back(machine.name);
    cluster_.add(std::move(machine));
    start(here_.back());
    ++figures.joined;
  }

  void leave(churn_figures& figures) {
    const auto it = here_.begin() + static_cast<std::ptrdiff_t>(draw_() % here_.size());
    end(*it, SIGTERM);
    here_.erase(it);
    ++figures.left;
  }

  void kill(churn_figures& figures) {
    const auto& name = here_[draw_() % here_.size()];
    end(name, SIGKILL);
    start(name);
    ++figures.joined;
    ++figures.left;
    ++figures.killed;
  }

  /// Returns when the machine is in the cluster.
  void start(const std::string& name) {
    cluster_.start(name);
    const auto pid = cluster_.process(name).pid();
    cluster_.wait_for(name + " has joined", [&] {
      const auto all = cluster_.ask("nodes");
      return all.is_object() && std::ranges::any_of(all["nodes"], [&](const json& node) {
               return node["name"].get<std::string>() == name && node["pid"] == pid &&
                      node["machines"] == 1;
             });
    });
  }

  void end(const std::string& name, int signal) {
    auto& machine = cluster_.process(name);
    machine.send(signal);
    const int code = machine.wait();
    if (code != 0 && code != -SIGKILL && code != 128 + SIGTERM)
      throw std::runtime_error("machine " + name + " has ended with code " + std::to_string(code));
  }

  trial_cluster& cluster_;
  const churn_plan& plan_;
  node_plan like_;
  std::mt19937_64 draw_;
  std::vector<std::string> here_;
  std::uint32_t named_ = 0;
};

} // namespace

churn_figures try_churn(const jobs_plan& plan, const churn_plan& churn) {
  churn_figures figures;
  const storm_marks marks{plan.directory / "marks"};
  const auto files = write_storm_jobs(churn.jobs, marks);
  {
    trial_cluster cluster{job_cluster(plan)};
    cluster.start();
    wait_for_api(cluster);
    submit(cluster, files);
    machine_crowd machines{cluster, churn, cluster.plan().nodes.back()};
    for (std::uint32_t n = 0; figures.joined + figures.left < churn.changes; ++n) {
      machines.change(figures);
      std::this_thread::sleep_for(pause);
      if (n % looked_at == 0 && are_over(cluster))
        submit(cluster, files);
    }
    cluster.wait_for("all jobs are over", [&] { return are_over(cluster); });
  }
  read_store(store_in(plan.directory), marks, figures.jobs);
  return figures;
}

bool is_good(const churn_figures& f) {
  return f.joined > 0 && f.left > 0 && is_good(f.jobs);
}

} // namespace troupe::trials
