#pragma once

#include "model/base/choice.hpp"
#include "model/live/live_series.hpp"
#include "model/live/member_details.hpp"
#include "model/metrics/results.hpp"
#include "model/protocol/failure_protocol.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

/// The state of a run, or of a cluster, at the last sample of the recorder: the source of all
/// displays of a run in progress.
namespace troupe {

/// How many rows, and schedulers and partitions within rows, and events are kept.
inline constexpr std::size_t most_live_schedulers = 200;
inline constexpr std::size_t most_live_partitions = 4000;
inline constexpr std::size_t most_live_events = 200;

/// What does not change during a run.
struct live_about {
  std::string run; ///< differs between runs, also of the same settings
  std::string name;
  std::string architecture;
  std::string policy; ///< of the groups, joined by "+" if they differ
  std::string world;  ///< "virtual", "real" or "cluster"
  std::uint64_t seed = 0;
  /// When the run's time began, in s since 1970 (UTC); 0 in virtual time.
  double origin = 0;
  duration interval{0};
  duration length{0};   ///< 0: until all jobs are over
  duration sync_gap{0}; ///< in which views are refreshed once; 0: they are not, in rounds
  std::uint64_t machines = 0;
  std::uint32_t owners = 0;
  std::uint32_t pool = 0; ///< number of schedulers that serve all groups; 0: each group has its own
  std::vector<group_info> groups;
  std::vector<std::uint32_t> group_of; ///< the group of each scheduler; 0 in a pool
  std::vector<std::string> policies;   ///< of each scheduler, at first
  std::vector<owner_id> owner_of;      ///< of each partition, at first; empty without owners
  std::vector<phase_info> phases;
};

/// Whether a member has answered.
enum class member_state : std::uint8_t {
  waiting, ///< it has never answered
  up,      ///< it has answered the last sample
  silent,  ///< it has not
};

inline std::string to_string(member_state s) {
  constexpr const char* names[] = {"waiting", "up", "silent"};
  return names[static_cast<std::size_t>(s)];
}

/// The life of an owner or a scheduler.
struct live_member {
  member_state state = member_state::waiting;
  incarnation_id incarnation = 0; ///< the latest; 0: failures are not watched
  std::uint64_t takeovers = 0;    ///< incarnations that have taken the place of another one
  std::uint32_t missed = 0;       ///< samples one after the other that it has not answered
};

/// Counts of a scheduler since the start. Counts that an incarnation had not reported before its
/// death are missing.
struct scheduler_sums {
  std::uint64_t placed = 0;
  std::uint64_t transactions = 0; ///< attempts at jobs
  std::uint64_t commits = 0;
  std::uint64_t retransmits = 0;
  std::uint64_t snapshots = 0;
  cause_counts conflicts{};
  double busy = 0;   ///< s
  double wasted = 0; ///< s of these on placements that were not granted

  void add(const scheduler_sample& s);
};

struct live_scheduler {
  live_member life;
  std::string policy; ///< in force
  std::uint64_t queued = 0;
  std::uint64_t in_commit = 0;
  std::uint64_t running = 0;
  double oldest = 0; ///< age of the task that has waited longest, in s, without the warm-up's; or 0
  // Over the last interval:
  double busy = 0; ///< share of the time that it spent deciding
  std::uint64_t placed = 0;
  std::uint64_t transactions = 0;
  std::uint64_t commits = 0;
  cause_counts conflicts{};
  delay_figures delay;
  double age_mean = 0; ///< of the view, in s; 0 if it gets no snapshots
  double age_max = 0;  ///< of its oldest partition
  scheduler_sums sums;
  std::vector<std::uint16_t> ages_ms; ///< of the partitions in its view: see scheduler_details
};

struct live_owner {
  live_member life;
  std::uint64_t machines = 0; ///< up
  std::uint64_t running = 0;
  resource_uses resources{}; ///< over the last interval
  std::uint64_t granted = 0; ///< in it
  std::uint64_t refused = 0;
  // Since the start:
  std::uint64_t granted_sum = 0;
  std::uint64_t refused_all = 0; ///< also of placements that name no partition of this owner
  cause_counts refused_sum{};    ///< by cause, in its partitions
};

/// The number of an owner, if there is one.
struct live_owner_number {
  std::uint32_t next = 0; ///< the number and 1; 0: there is none

  explicit operator bool() const { return next > 0; }
  owner_id operator*() const { return next - 1; }
  bool operator==(const live_owner_number&) const = default;

  static live_owner_number of(owner_id owner) { return {owner + 1}; }
};

struct live_partition {
  live_owner_number owner;
  bool known = false; ///< its owner has told of it
  partition_details last;
  std::uint64_t granted_sum = 0; ///< since the start
  cause_counts refused_sum{};
  // In the views of the schedulers that get snapshots, in s:
  double age_mean = 0;
  double age_max = 0;

  /// The share in use of the resource with the greatest one.
  double use() const { return dominant_share(last.used, last.capacity); }
};

/// Whether a node is in the cluster.
enum class live_node_state : std::uint8_t { joined, draining, gone };

template <>
struct choice_names<live_node_state> {
  static constexpr std::array<std::string_view, 3> value{"joined", "draining", "gone"};
};

/// A node of a cluster.
struct live_node {
  std::string name;
  std::vector<std::string> roles;
  live_node_state state = live_node_state::joined;
  std::uint64_t members = 0;
  std::uint64_t machines = 0;
  std::uint64_t running = 0; ///< tasks
  std::uint64_t bytes_sent = 0;
  std::uint64_t memory_bytes = 0;
  double cpu_seconds = 0;
};

/// Something that happened: a failure or its end, a takeover, another policy, a phase, a node that
/// came or went.
struct live_event {
  std::uint64_t number = 0; ///< from 1
  instant at{0};
  std::string what;   ///< one word: "kill", "end", "takeover", "silent", "policy", "phase" ...
  std::string member; ///< such as "owner.2"; may be empty
  std::string detail; ///< for people
};

struct live_state {
  live_about about;
  instant now{0};                       ///< of the last sample
  std::uint64_t samples = 0;            ///< so far
  bool over = false;                    ///< the run has ended
  bool detailed = false;                ///< the last sample has the details of members
  std::vector<scheduler_sample> groups; ///< of jobs, since the start; what is marked "now": of now
  double utilization = 0;               ///< over the last interval
  resource_uses resources{};            ///< likewise
  node_status machines;                 ///< since the start
  offer_sample offers;                  ///< likewise
  std::vector<live_scheduler> schedulers;
  std::vector<live_owner> owners;
  std::vector<live_partition> partitions;
  std::vector<live_node> nodes;  ///< empty unless this is a cluster
  std::deque<live_event> events; ///< the last ones, oldest first
  std::uint64_t events_so_far = 0;
  std::size_t phases_begun = 0;
  live_series series;

  /// The machines that are up, as far as that is known.
  std::uint64_t machines_up() const;

  /// Adds an event, and drops the oldest if there are too many.
  void note(instant at, std::string what, std::string member, std::string detail);
};

} // namespace troupe
