#pragma once

#include "actors/sparrow/probing/probe_rounds.hpp"
#include "actors/sparrow/probing/task_launcher.hpp"

#include <cstdint>

namespace troupe {

/// Probes machines for a group of tasks, and sends the tasks to the machines with the shortest
/// queues once all have answered.
class probe_sender {
public:
  probe_sender(sparrow_tables& tables, task_launcher& launcher)
    : tables_(tables), launcher_(launcher) {}

  /// Takes the tasks of a group that may run, and probes machines for them.
  void probe_for(open_job& j, std::uint32_t g, double ratio, sparrow_outbox& out);

  /// Books an answer; the last one of a round has its tasks sent.
  void answer(const probe_answer& answer, sparrow_outbox& out);

  /// Waits for no answers from a machine any more: it is the last choice.
  void give_up(machine_id machine, sparrow_outbox& out) {
    for (const auto& a : rounds_.owed_by(machine))
      answer(a, out);
  }

private:
  void assign(const probe_round& round, sparrow_outbox& out);

  sparrow_tables& tables_;
  task_launcher& launcher_;
  probe_rounds rounds_;
};

} // namespace troupe
