#pragma once

#include "peers/bare_policies.hpp"
#include "peers/end_wheel.hpp"
#include "peers/peer_figures.hpp"
#include "peers/task_ring.hpp"

#include <cstdint>
#include <vector>

namespace troupe::peers {

enum class bare_policy { latency_first, quality_first, adaptive };

/// The settings of E2 (configs/experiments/e2). Times are in steps of half a millisecond, of which
/// all times of E2 are multiples.
struct parsync_setup {
  static constexpr std::uint32_t steps_per_second = 2000;
  static constexpr std::uint32_t latency = 1; ///< of the network

  std::uint32_t machines = 100'000;
  std::uint8_t slots = 2;
  std::uint32_t partitions = 100;
  std::uint32_t schedulers = 20;
  std::uint32_t gap = steps_per_second;
  bool full_sync = false; ///< StateSync: all schedulers get all partitions, once per gap
  std::uint32_t decision = 1;
  std::uint32_t batch = 10;
  std::uint32_t task = 5 * steps_per_second;
  std::uint32_t tick = 10;
  std::uint32_t tasks_per_job = 10;
  double tau = 1.5; ///< s
  double ema_weight = 0.1;
  double sigma = 0.5; ///< of the lognormal scores
  bare_policy policy = bare_policy::latency_first;
  std::uint32_t phase = 60 * steps_per_second;
  std::vector<double> loads{0.5, 0.8, 0.95, 0.8, 0.5}; ///< of the schedulers' capacity
  std::uint32_t end = 300 * steps_per_second;
  std::uint64_t seed = 1;
};

/// ParSync (Feng et al., USENIX ATC 2021) on arrays. A clock moves on by one step; there are no
/// actors, no messages, and no statistics beyond sums. It shares no code with Troupe.
class bare_parsync {
public:
  explicit bare_parsync(const parsync_setup& setup);

  peer_figures run();

private:
  /// A task that a scheduler has chosen a machine for.
  struct placement {
    queued_task task;
    std::uint32_t machine = 0;
    std::uint32_t scheduler = 0;
  };

  struct scheduler {
    scheduler(const machine_map& machines, const parsync_setup& s)
      : view(machines, s.slots, s.policy != bare_policy::latency_first) {}

    slot_table view;
    task_ring queue;
    std::vector<placement> batch; ///< that it decides on until `due`
    std::uint32_t due = 0;
    std::uint32_t freshest = 0; ///< the remainder of the partitions refreshed last
    double delay = 0;           ///< moving average, in s
    double delays_heard = 0;    ///< sum of those that come with the next answer
    std::uint32_t tasks_heard = 0;
    bool heard_any = false;
  };

  void grant();
  void finish_tasks();
  void synchronise();
  void submit();
  void hear_answers();
  void decide(std::uint32_t number);
  std::uint32_t pick(scheduler& by);

  parsync_setup setup_;
  machine_map machines_;
  fast_random random_;
  slot_table truth_;
  std::vector<scheduler> schedulers_;
  end_wheel ends_;
  std::uint32_t now_ = 0;
  std::vector<placement> commits_;       ///< on their way to the owners
  std::vector<placement> arriving_;      ///< that have reached them
  std::vector<placement> refused_;       ///< whose answers are on their way
  std::vector<placement> returned_;      ///< whose answers have come
  std::vector<std::uint32_t> submitted_; ///< by job
  std::vector<std::uint8_t> left_;       ///< tasks by job
  double due_jobs_ = 0;
  peer_figures figures_;
};

} // namespace troupe::peers
