#pragma once

#include "actors/handles.hpp"
#include "actors/lease_board.hpp"
#include "actors/queue_guard.hpp"
#include "actors/reach.hpp"
#include "actors/run_clock.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace troupe {

struct guarded_queue_config {
  queue_guard_rules rules;
  std::vector<double> weights; ///< of the tenants
  duration heartbeat = std::chrono::milliseconds{500};
  /// What all machines of a node share. With one, someone else tells this machine once per
  /// heartbeat to look for what is overdue, and shows signs of life for all of them.
  std::shared_ptr<lease_board> board{};
  /// Counts the machines of a node that are to be emptied and are not.
  std::shared_ptr<std::atomic<std::uint32_t>> to_empty{};
  std::shared_ptr<executor> runs_on;
  std::shared_ptr<machine_usage> usage{}; ///< of the machine, in all of its lives
  reach_function reach;
  run_clock clock;
};

struct guarded_queue_state {
  static inline const char* name = "machine";

  guarded_queue_state() = default;

  guarded_queue_config config;
  std::optional<queue_guard> guard;
  instant next_beat{0};
  instant looks{0};         ///< when it will look for leases that have run out
  std::uint64_t heeded = 0; ///< the version of the board that it has read
  bool to_empty = false;    ///< it is counted so
};

/// A machine with a queue in a cluster where failures are watched: it shows signs of life to the
/// schedulers of whom it has something, tells them what happens until they have heard of it, and
/// stops what it runs for those who do not answer. Signs of life, and answers to them, overtake
/// other messages.
guarded_queue_actor::behavior_type
guarded_queue(guarded_queue_actor::stateful_pointer<guarded_queue_state> self,
              guarded_queue_config config);

} // namespace troupe
