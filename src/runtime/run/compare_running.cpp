#include "runtime/run/compare_running.hpp"

#include "actors/machine/machine.hpp"
#include "actors/owner/owner.hpp"
#include "actors/queue/queueing_machine.hpp"
#include "runtime/cluster/actor_configs.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/placing_core.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/cluster/probing_member.hpp"
#include "runtime/cluster/state_of.hpp"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace troupe {

namespace {

/// Compares both sides of each task that either side reports as running.
class comparison {
public:
  comparison(const simulated_cluster& on, const run_settings& settings)
    : on_(on),
      settings_(settings),
      owners_(owner_places(settings) > 0 ? owners_of(settings) : std::vector<owner_id>{}),
      queues_(any_probes(settings)) {}

  running_books run() {
    for (const auto& [who, incarnations] : on_.incarnations())
      if (who.first == role::scheduler)
        probes(settings_, who.second) ? look_at_sparrow(incarnations.back())
                                      : look_at_scheduler(incarnations.back());
    for (const auto& [who, incarnations] : on_.incarnations())
      if (who.first == role::machine) {
        look_at_machine(incarnations.back());
        look_at_queue(incarnations.back());
      }
    return books_;
  }

private:
  static bool answers(const simulated_cluster::process* who) {
    return who != nullptr && !who->dead && !who->frozen;
  }

  template <class State>
  const State* machine_state_of(const simulated_cluster::process* who) const {
    return answers(who) ? light_state_of<State>(*who) : nullptr;
  }

  void fail(const task_id& task, machine_id machine, const char* what) {
    if (books_.wrong.empty())
      books_.wrong =
        "task " + to_string(task) + " on machine " + std::to_string(machine) + " " + what;
  }

  // -- where owners are between schedulers and machines --

  std::optional<placing_core> scheduler_at(std::uint32_t number) const {
    const auto* who = on_.latest(role::scheduler, number);
    if (!answers(who))
      return std::nullopt;
    const auto core = placing_core::of(*who);
    const bool knows = core && core->failover() != nullptr && !core->failover()->taking_over();
    return knows ? core : std::nullopt;
  }

  const owner_state* owner_of(machine_id machine) const {
    const auto number = owners_.at(on_.machines()->place_of(machine).partition);
    const auto* who = on_.latest(role::owner, number);
    const auto* state = answers(who) ? state_of<owner_actor, owner_state>(*who) : nullptr;
    return state != nullptr && state->leases && state->leases->ready() ? state : nullptr;
  }

  const machine_session* machine_at(machine_id number) const {
    const auto* who = on_.latest(role::machine, number);
    if (queues_) {
      const auto* state = machine_state_of<queueing_machine_state>(who);
      return state != nullptr ? state->owner_session() : nullptr;
    }
    const auto* state = machine_state_of<machine_state>(who);
    return state != nullptr && state->tie ? &state->tie->session() : nullptr;
  }

  /// Whether this owner has reported all it has to about a task to a machine and to a scheduler.
  static bool settled(const owner_state& owner, const machine_session& on, machine_id machine,
                      const task_id& task, const failover_books& scheduler, scheduler_id number) {
    const auto& leases = *owner.leases;
    return leases.in_session(machine, on.incarnation()) &&
           leases.incarnation() == on.owner_incarnation() && !leases.orders(machine, task) &&
           leases.in_session_with(number, scheduler.incarnation());
  }

  bool owner_knows(const owner_state& owner, const task_id& task, machine_id machine) {
    auto [it, is_new] = known_.try_emplace(&owner);
    for (scheduler_id s = 0; is_new && s < owner.config.schedulers; ++s)
      for (const auto& r : owner.core->running_of(s))
        it->second.insert({r.task, r.machine});
    return it->second.contains({task, machine});
  }

  void look_at_scheduler(const simulated_cluster::process& who) {
    const auto core = scheduler_at(who.number);
    if (!core)
      return;
    for (const auto& [task, where] : core->failover()->running) {
      ++books_.believed;
      if (core->failover()->unsure.contains(task)) {
        ++books_.silent; // it may run on any machine whose state its owner does not know yet
        continue;
      }
      const auto* host = machine_at(where);
      const auto* between = owner_of(where);
      if (host != nullptr && host->runs(task))
        ++books_.agreed;
      else if (host != nullptr && host->keeps_end(task))
        ++books_.ended;
      else if (host == nullptr || between == nullptr)
        ++books_.silent;
      else if (!settled(*between, *host, where, task, *core->failover(), who.number))
        ++books_.on_the_way;
      else if (owner_knows(*between, task, where))
        fail(task, where, "is believed to run by its scheduler and its owner, and does not");
      else if (between->core->has_news() || between->core->has_unseen() ||
               core->failover()->partial.contains(between->core->id()))
        ++books_.on_the_way;
      else
        fail(task, where, "is believed to run by its scheduler alone");
    }
  }

  void look_at_machine(const simulated_cluster::process& who) {
    const auto* host = machine_at(who.number);
    if (host == nullptr)
      return;
    for (const auto& [task, by] : host->running_for()) {
      const auto core = scheduler_at(by);
      const auto* between = owner_of(who.number);
      if (!core || between == nullptr) {
        ++books_.unheard;
        continue;
      }
      const auto& known = core->failover()->running;
      const auto it = known.find(task);
      if (it != known.end() && it->second == who.number)
        continue;
      ++books_.unheard;
      const auto& books = *core->failover();
      if (books.unsure.contains(task) || books.partial.contains(between->core->id()) ||
          core->awaits_answer(task) ||
          !settled(*between, *host, who.number, task, *core->failover(), by))
        continue;
      fail(task, who.number,
           owner_knows(*between, task, who.number)
             ? "runs, as its owner knows, and its scheduler does not know"
             : "runs, and neither its owner nor its scheduler know");
    }
  }

  // -- where schedulers talk to machines --

  std::optional<probing_member> sparrow_at(std::uint32_t number) const {
    const auto* who = on_.latest(role::scheduler, number);
    if (who == nullptr || who->dead || who->frozen)
      return std::nullopt;
    const auto of = probing_member::of(*who);
    return of && !of->session->taking_over() ? of : std::nullopt;
  }

  const queue_sessions* queue_at(machine_id number) const {
    if (!queues_)
      return nullptr;
    const auto* state = machine_state_of<queueing_machine_state>(on_.latest(role::machine, number));
    return state != nullptr ? state->sessions() : nullptr;
  }

  bool in_session(const probing_member& with, std::uint32_t scheduler, const queue_sessions& on,
                  machine_id machine) const {
    return with.session->in_session(machine, on.incarnation(scheduler)) &&
           on.scheduler_incarnation(scheduler) ==
             on_.latest(role::scheduler, scheduler)->number_of_incarnation;
  }

  void look_at_sparrow(const simulated_cluster::process& who) {
    const auto of = sparrow_at(who.number);
    if (!of)
      return;
    of->core->visit_running([&](const task_id& task, machine_id where) {
      ++books_.believed;
      const auto* host = queue_at(where);
      if (host != nullptr && host->runs(task))
        ++books_.agreed;
      else if (host != nullptr && host->keeps_end(who.number, task))
        ++books_.ended;
      else if (host == nullptr)
        ++books_.silent;
      else if (!in_session(*of, who.number, *host, where))
        ++books_.on_the_way;
      else
        fail(task, where, "is believed to run by its scheduler, and does not");
    });
  }

  void look_at_queue(const simulated_cluster::process& who) {
    const auto* host = queue_at(who.number);
    if (host == nullptr)
      return;
    for (const auto& [task, by] : host->running_for()) {
      const auto of = sparrow_at(by);
      if (of && of->core->may_run(task, who.number))
        continue; // it runs for its scheduler, or its start is being reported
      ++books_.unheard;
      if (of && in_session(*of, by, *host, who.number))
        fail(task, who.number, "runs, and its scheduler does not know");
    }
  }

  const simulated_cluster& on_;
  const run_settings& settings_;
  std::vector<owner_id> owners_; ///< by partition
  bool queues_;                  ///< machines have queues
  std::map<const owner_state*, std::set<std::pair<task_id, machine_id>>> known_; ///< by owners
  running_books books_;
};

} // namespace

running_books compare_running(const simulated_cluster& on, const run_settings& settings) {
  return comparison{on, settings}.run();
}

} // namespace troupe
