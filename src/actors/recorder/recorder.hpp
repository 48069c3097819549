#pragma once

#include "actors/common/reach.hpp"
#include "actors/common/run_clock.hpp"
#include "actors/machine/node_book.hpp"
#include "actors/protocol/handles.hpp"
#include "actors/recorder/run_record.hpp"
#include "actors/recorder/sampling_times.hpp"
#include "model/cluster/catalog.hpp"
#include "model/live/live_sample.hpp"
#include "model/records/record_order.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// An incarnation of a node.
struct node_reference {
  std::uint32_t number = 0;
  incarnation_id incarnation = 0;
  node_actor handle;
};

struct recorder_config {
  duration interval = std::chrono::seconds{1};
  /// Instants within intervals, in order: there, too, a sample is taken and a row ends.
  std::vector<instant> ends_within{};
  std::vector<scheduler_actor> schedulers;
  std::vector<owner_actor> owners;
  std::vector<node_actor> nodes;
  std::vector<workload_actor> workloads;
  std::vector<allocator_actor> allocators; ///< one at most
  std::uint32_t groups = 1;                ///< of jobs
  std::shared_ptr<const catalog> machines; ///< where the shares of tenants are recorded; else null
  std::shared_ptr<run_record> record;
  run_clock clock;
  /// If failures are watched: finds the present incarnations of schedulers, owners and
  /// workloads, of which there are as many as `members` says. A member that does not answer soon is
  /// left out of the sample. Its counts come with its next answer, and are lost only if it dies
  /// before.
  reach_function reach{};
  incarnation_id first_incarnation =
    0; ///< likewise: of every scheduler and owner; 0: the first one heard
  std::function<std::vector<node_reference>()> find_nodes{}; ///< likewise; unset: `nodes`
  /// Where schedulers launch tasks themselves and hear of their starts later: how many have
  /// started, by group of jobs.
  std::function<std::vector<std::uint64_t>()> starts{};
  bool finds_allocator = false; ///< likewise: there is one, which is to be asked
  duration patience = std::chrono::milliseconds{50}; ///< with an answer, likewise
  std::uint32_t members[3] = {0, 0, 0};
  bool records = false; ///< schedulers keep records of their jobs and tasks, and are asked for them
  /// How long schedulers may take to hear of an end; records are kept so long to be put in order.
  duration record_delay = std::chrono::seconds{1};
  duration begins{0}; ///< of the run, by the clock of the schedulers
  /// Schedulers from plugins, which know no questions for details.
  std::vector<bool> from_plugin{};
  /// If schedulers do not answer with their records: returns the records of scheduler `number`,
  /// which has answered with `status`; with `last`, all of them.
  std::function<record_batch(std::uint32_t number, const scheduler_status& status, bool last)>
    records_of_plugin{};
  std::uint32_t partitions = 0; ///< of the cluster, which are recorded; 0: they are not
};

/// The part of the present sample that has come in. The recorder asks one kind of members after the
/// other: workloads, schedulers, nodes, owners. A task that one kind has passed on is counted by
/// the next kind by then, also in real time.
struct sample_round {
  instant from{0};
  instant to{0};
  std::size_t stage = 0;   ///< the kind of members that is asked now
  std::size_t missing = 0; ///< answers of this stage that have not come
  std::vector<scheduler_sample> groups;
  std::vector<scheduler_row> scheduler_rows;
  owner_sample owners;
  node_status nodes;
  std::set<scheduler_id> answered; ///< schedulers
  std::vector<workload_status> workloads;
  std::vector<std::uint32_t> workload_numbers; ///< of these
  std::vector<store_account> later; ///< answers of job stores after those of the schedulers
  std::map<scheduler_id, scheduler_account> schedulers; ///< those that have answered
  std::size_t silent = 0;                               ///< members that have not
  allocator_status offers;                              ///< empty where there is no allocator
  bool shown = false; ///< there is a board, which gets all of `live`
  /// Members are asked for details: for those who watch it, or for the record of partitions.
  bool detailed = false;
  live_sample live;
  double utilization = 0; ///< of the cluster, mean over the interval
  bool all_idle = true;
  std::string error; ///< why an answer is missing
};

struct recorder_state {
  static inline const char* name = "recorder";

  recorder_state() = default;

  recorder_config config;
  sample_round current;
  std::map<std::uint32_t, workload_status>
    before;        ///< if failures are watched: as of the last sample
  node_book nodes; ///< likewise, if they have to be found
  /// Likewise: the latest answer of each scheduler, owner and allocator.
  std::map<std::pair<role, std::uint32_t>, sample_mark> heard;
  record_order records;                   ///< of jobs and tasks, of ends that are not long ago
  std::vector<std::uint64_t> starts_told; ///< starts that schedulers have heard of, by group
  sampling_times times;
  sampling_times::due_time due; ///< the next of them
  bool end_waits = false;       ///< one of `ends_within` has passed during the present sample
  bool sampling = false;
  bool begins = false;      ///< the present sample has the counts from before the beginning
  bool last = false;        ///< the present sample is the last one
  bool flush_waits = false; ///< take the last sample after the present one
  caf::typed_response_promise<caf::ok_atom> flushed;
};

/// The recorder: asks all members once per interval for their counts, also where an interval is
/// divided, and keeps the record. Nodes
/// that have to be found may have run for some time: the recorder asks them, the owners and the
/// allocator shortly before the beginning, and leaves these counts out.
recorder_actor::behavior_type recorder(recorder_actor::stateful_pointer<recorder_state> self,
                                       recorder_config config);

} // namespace troupe
