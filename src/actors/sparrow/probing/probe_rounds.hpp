#pragma once

#include "model/jobs/job.hpp"
#include "model/protocol/sparrow_protocol.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace troupe {

/// Probes that are sent together, and the tasks that they are sent for.
struct probe_round {
  struct probe {
    machine_id machine = 0;
    std::int32_t length = 0;
    bool answered = false;
  };

  job_id job = 0;
  std::uint32_t group = 0;
  std::vector<std::uint32_t> tasks{};
  std::vector<probe> probes{}; ///< those of the first task, those of the second, ..
  std::size_t missing = 0;     ///< answers that have not come

  /// On how many of the machines there was room.
  std::size_t with_room() const;

  /// Returns the probes with the shortest queues, one for each task: of the probes of all tasks, or
  /// of those of the task.
  std::vector<std::size_t> shortest(bool of_all) const;
};

/// The rounds whose answers are not all there.
class probe_rounds {
public:
  /// Begins a round. Returns its number.
  std::uint64_t begin(probe_round round);

  /// Books an answer. Returns the round, which ends, if it is the last one.
  std::optional<probe_round> answer(const probe_answer& answer);

  /// Returns answers in place of those that a machine still owes, by which it is never chosen
  /// before another one.
  std::vector<probe_answer> owed_by(machine_id machine) const;

private:
  std::unordered_map<std::uint64_t, probe_round> rounds_;
  std::uint64_t last_ = 0;
};

} // namespace troupe
