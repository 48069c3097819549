#pragma once

#include "peers/event_heap.hpp"
#include "peers/fast_random.hpp"
#include "peers/peer_figures.hpp"

#include <cstdint>
#include <vector>

namespace troupe::peers {

/// The settings of configs/bench/sparrow.toml. Times are in ns.
struct sparrow_setup {
  std::uint32_t machines = 10'000;
  std::uint32_t slots = 4;
  std::uint32_t jobs = 10'000;
  std::uint32_t tasks_per_job = 100;
  std::uint32_t probes_per_task = 2;
  double rate = 320'000;    ///< tasks per s
  double mean_task = 100e6; ///< of an exponential distribution, one draw per job
  std::int64_t latency = 500'000;
  std::uint64_t seed = 1;
};

/// Sparrow (Ousterhout et al., SOSP 2013) on arrays: batch sampling with late binding and proactive
/// cancellation, FIFO queues on the machines. Each message is one event of a heap. There are no
/// actors and no statistics beyond sums. It shares no code with Troupe.
///
/// Reservation number r belongs to job r / (probes of a job).
class bare_sparrow {
public:
  explicit bare_sparrow(const sparrow_setup& setup);

  peer_figures run();

private:
  struct job {
    std::int64_t submitted = 0;
    std::int64_t duration = 0;
    std::uint32_t waiting = 0; ///< tasks that have not been handed out
    std::uint32_t left = 0;    ///< tasks that have not ended
  };

  struct machine {
    std::uint32_t free = 0;           ///< slots
    std::vector<std::uint32_t> queue; ///< reservations, the oldest first
  };

  void submit(std::uint32_t number);
  void request(std::uint32_t reservation);
  void cancel(std::uint32_t reservation);
  void end(std::uint32_t reservation);
  void serve(std::uint32_t number);
  void after(std::int64_t delay, sparrow_event::kind what, std::uint32_t to) {
    events_.push({now_ + delay, what, to});
  }
  std::uint32_t job_of(std::uint32_t reservation) const { return reservation / probes_; }

  sparrow_setup setup_;
  std::uint32_t probes_; ///< of a job
  fast_random random_;
  event_heap events_;
  std::int64_t now_ = 0;
  std::vector<job> jobs_;
  std::vector<machine> machines_;
  std::vector<std::uint32_t> probed_;  ///< machines, by reservation
  std::vector<std::uint8_t> asked_;    ///< by reservation: its machine has asked for a task
  std::vector<std::uint32_t> last_of_; ///< by machine: one more than the last job that probed it
  peer_figures figures_;
};

} // namespace troupe::peers
