#pragma once

#include "actors/common/run_clock.hpp"
#include "actors/protocol/handles.hpp"
#include "actors/scheduler/scheduler_core.hpp"
#include "actors/scheduler/scheduler_parts.hpp"
#include "actors/sparrow/sparrow_core.hpp"
#include "policies/plugin.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/config.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

/// The contract of a scheduler actor, built in or in a shared library. Write a scheduler actor for
/// another protocol. To pick machines by another rule, a placement policy is enough.
namespace troupe {

/// Whom a scheduler has its tasks run by.
enum class scheduler_protocol : std::uint8_t {
  owners, ///< it commits placements to the partitions' owners, which grant or refuse them
  queues, ///< it sends tasks or reservations to the queues of machines
};

// A scheduler of the protocol `queues` is a queue_client_actor (`actors/protocol/handles.hpp`),
// which learns of machines as follows. At first they all have their capacity in the catalog. A
// machine that leaves, fails, returns or changes sends a capacity_notice with its new capacity:
// zero while it is away. The scheduler
// - answers with a capacity_heard to the machine, with its own number and the number of the notice,
//   before it sends anything else to any machine;
// - from then on sends the machine only what fits into that capacity, and nothing if it has
// nothing;
// - counts a task as queued again if it has sent the task there, knows of no start of it, and the
//   task does not fit; moves such reservations to other machines, and does not wait for answers to
//   probes from a machine without capacity.
// Tasks that have started and had to stop are reported before that, as ends with outcome `lost`. If
// failures are watched, a machine that is given up is reported in the same way, and a machine that
// is to be drained has no capacity when the tasks that were sent there have started. A task that is
// lost too often ends with outcome `failed`.
//
// In a cluster that grows (`catalog::grows`), which runs real commands, no machine is there at
// first, and the capacities in the catalog are the greatest possible. When the attributes of
// machines have changed, a queue_client_actor gets their capacity_notice again, and an
// owner_client_actor a task_report, which may be empty. Neither gives up tasks that no machine can
// run, as such a machine may join.

// Messages to a scheduler that commits to owners. Its `peers` name the owners.
using owner_client_actor = scheduler_actor::extend<
  // Books an owner's answer.
  caf::reacts_to<commit_reply>,
  // Learns the free resources of some partitions.
  caf::reacts_to<sync_update>,
  // Books the ends of tasks; to be answered with a report_seen, or it comes again.
  caf::reacts_to<task_report>>;

/// What a scheduler is spawned with.
struct scheduler_world {
  scheduler_id id = 0;
  std::uint32_t group = 0; ///< that it belongs to
  std::shared_ptr<const catalog> machines;
  std::vector<owner_id> owner_of; ///< the owner of each partition
  /// How to reach the queues of machines, by number; null unless that is its protocol.
  std::shared_ptr<const std::vector<queueing_machine_actor>> queues;
  scheduler_limits limits;           ///< as [scheduler] says
  sparrow_limits probing;            ///< as [sparrow] says
  bool watch_machines = false;       ///< as [sparrow] says
  std::vector<tenant_quota> tenants; ///< the tenants that share the cluster, if there are several
  policy_choice policy;              ///< as scheduler.policy says
  std::vector<std::pair<instant, policy_choice>> policy_changes{};
  std::function<std::unique_ptr<placement_policy>(const policy_choice&)> make_policy;
  random_stream random; ///< its own
  run_clock clock;
  setting_values settings; ///< those that it declares
};

/// All that there is to know of a scheduler actor.
struct scheduler_descriptor {
  std::string_view name;    ///< as in scheduler.actor; lower case letters, digits and -
  std::string_view summary; ///< for the user, one line
  std::vector<setting_info> settings{};
  scheduler_protocol protocol = scheduler_protocol::owners;
  /// Called before the actor system starts, to register messages of its own; may be null.
  void (*register_types)(caf::actor_system_config& config) = nullptr;
  /// Returns an `owner_client_actor` or `queue_client_actor`, as its protocol says.
  scheduler_actor (*spawn)(caf::actor_system& system, scheduler_world world) = nullptr;
};

/// The types that a scheduler actor and the program hand each other, folded into a number.
inline constexpr std::uint64_t scheduler_layout =
  policy_layout ^
  layout_of<scheduler_world, scheduler_descriptor, job, task_group, submission, peers,
            commit_request, commit_reply, sync_update, task_report, queue_entry, task_assignment,
            get_task_request, probe_answer, capacity_notice, capacity_heard, task_news,
            scheduler_status, scheduler_sample, scheduler_parts, decided_placement, open_commit,
            transaction, sparrow_core>() ^
  static_cast<std::uint64_t>(caf::id_block::troupe::end) << 48;

inline constexpr const char* scheduler_actor_kind = "scheduler-actor";

#define TROUPE_SCHEDULER_ABI TROUPE_COMPILER_ABI ", CAF " TROUPE_TEXT(CAF_VERSION)

/// The built-in scheduler actors that others could be put in the place of.
std::span<const scheduler_descriptor> builtin_schedulers();

/// Returns the scheduler actor of a name, or null.
const scheduler_descriptor* find_scheduler(std::string_view name);

/// Registers a scheduler actor; `origin` is the path of its library, or names its source. Throws
/// `plugin_error` as `register_plugin` does.
void register_scheduler(const scheduler_descriptor& scheduler, std::string origin);

/// Lets libraries hold scheduler actors. To be called at the start of a program that runs them.
void enable_scheduler_plugins();

/// Registers the messages of all scheduler actors that are not built in.
void register_plugin_types(caf::actor_system_config& config);

} // namespace troupe

/// Makes a shared library a plugin. Its argument, in braces, initialises a `scheduler_descriptor`.
#define TROUPE_SCHEDULER_PLUGIN(...)                                                               \
  TROUPE_PLUGIN_EXPORT const char* troupe_plugin_abi() {                                           \
    static const std::string text = ::troupe::abi_text(                                            \
      ::troupe::scheduler_actor_kind, TROUPE_SCHEDULER_ABI, ::troupe::scheduler_layout);           \
    return text.c_str();                                                                           \
  }                                                                                                \
  TROUPE_PLUGIN_EXPORT const char* troupe_plugin_kind() {                                          \
    return ::troupe::scheduler_actor_kind;                                                         \
  }                                                                                                \
  TROUPE_PLUGIN_EXPORT const void* troupe_plugin() {                                               \
    static const ::troupe::scheduler_descriptor plugin __VA_ARGS__;                                \
    return &plugin;                                                                                \
  }                                                                                                \
  static_assert(true)
