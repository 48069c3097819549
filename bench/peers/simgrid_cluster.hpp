#pragma once

#include "peers/fast_random.hpp"
#include "peers/peer_figures.hpp"

#include <cstdint>
#include <simgrid/s4u.hpp>
#include <vector>

namespace troupe::peers {

/// The settings of configs/bench/s1.toml and s3.toml. Times are in s.
struct simgrid_setup {
  std::uint32_t workers = 1000; ///< of one slot each
  std::uint32_t jobs = 10'000;
  std::uint32_t tasks_per_job = 10;
  double rate = 160; ///< tasks per s
  double task = 5;
  std::uint64_t seed = 1;
};

/// Poisson arrivals of jobs.
class job_arrivals {
public:
  explicit job_arrivals(const simgrid_setup& setup)
    : random_(setup.seed), mean_(setup.tasks_per_job / setup.rate) {}

  /// Waits until the next job is due, unless it is already. Returns when it was.
  double wait_for_next() {
    at_ += random_.exponential(mean_);
    simgrid::s4u::this_actor::sleep_until(at_);
    return at_;
  }

private:
  fast_random random_;
  double mean_;
  double at_ = 0;
};

/// The workers without a task. The actors of a simulation run one at a time, so they can share it.
class idle_workers {
public:
  explicit idle_workers(const simgrid_setup& setup) : random_(setup.seed + 1) {
    for (std::uint32_t w = 0; w < setup.workers; ++w)
      idle_.push_back(w);
  }

  bool empty() const { return idle_.empty(); }
  void add(std::uint32_t worker) { idle_.push_back(worker); }

  /// Draws one.
  std::uint32_t take() {
    const auto i = random_.below(idle_.size());
    const auto worker = idle_[i];
    idle_[i] = idle_.back();
    idle_.pop_back();
    return worker;
  }

private:
  fast_random random_;
  std::vector<std::uint32_t> idle_;
};

/// What all actors of a simulation see.
struct simgrid_cluster {
  explicit simgrid_cluster(const simgrid_setup& s, simgrid::s4u::Host* h)
    : setup(s), host(h), idle(s) {}

  /// Books the start of a task of a job that was submitted at `submitted`.
  void book(double submitted) {
    figures.delay += simgrid::s4u::Engine::get_clock() - submitted;
    ++figures.tasks;
  }

  simgrid_setup setup;
  simgrid::s4u::Host* host; ///< of all actors: nothing is computed
  idle_workers idle;
  peer_figures figures;
};

/// Start the actors of a form: a scheduler, and a worker for each machine.
void start_with_semaphores(simgrid_cluster& cluster);
void start_with_mailboxes(simgrid_cluster& cluster);
void start_with_both(simgrid_cluster& cluster);

} // namespace troupe::peers
