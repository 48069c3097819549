#include "runtime/compare_running.hpp"

#include "actors/guarded_queue.hpp"
#include "actors/guarded_sparrow.hpp"
#include "actors/machine/machine.hpp"
#include "actors/owner.hpp"
#include "actors/scheduler.hpp"
#include "runtime/state_of.hpp"
#include "runtime/wire_config.hpp"
#include "runtime/wire_queues.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace troupe {

namespace {

/// Looks at the two sides of each task that one of them says runs.
class comparison {
public:
  comparison(const stage& on, const run_settings& settings)
    : on_(on),
      owners_(any_probes(settings) ? std::vector<owner_id>{} : owners_of(settings)),
      probing_(any_probes(settings)) {}

  running_books run() {
    for (const auto& [who, lives] : on_.lives())
      if (who.first == role::scheduler)
        probing_ ? look_at_sparrow(lives.back()) : look_at_scheduler(lives.back());
    for (const auto& [who, lives] : on_.lives())
      if (who.first == role::machine)
        probing_ ? look_at_queue(lives.back()) : look_at_machine(lives.back());
    return books_;
  }

private:
  template <class Actor, class State>
  const State* answering(const stage::process* who) const {
    return who == nullptr || who->dead || who->frozen ? nullptr : state_of<Actor, State>(*who);
  }

  void fail(const task_id& task, machine_id machine, const char* what) {
    if (books_.wrong.empty())
      books_.wrong =
        "task " + to_string(task) + " on machine " + std::to_string(machine) + " " + what;
  }

  // -- where owners are between schedulers and machines --

  const scheduler_state* scheduler_at(std::uint32_t number) const {
    const auto* state =
      answering<guarded_scheduler_actor, scheduler_state>(on_.latest(role::scheduler, number));
    const bool knows = state != nullptr && state->core && state->core->survival() != nullptr &&
                       !state->core->survival()->taking_over();
    return knows ? state : nullptr;
  }

  const owner_state* owner_of(machine_id machine) const {
    const auto number = owners_.at(on_.machines()->place_of(machine).partition);
    const auto* state =
      answering<guarded_owner_actor, owner_state>(on_.latest(role::owner, number));
    return state != nullptr && state->guard && state->guard->ready() ? state : nullptr;
  }

  const machine_session* machine_at(machine_id number) const {
    const auto* state = answering<machine_actor, machine_state>(on_.latest(role::machine, number));
    return state != nullptr && state->tie ? &state->tie->session : nullptr;
  }

  /// Whether everything that this owner has to tell a machine and a scheduler of a task was told.
  static bool settled(const owner_state& owner, const machine_session& on, machine_id machine,
                      const task_id& task, const survival_books& scheduler, scheduler_id number) {
    const auto& guard = *owner.guard;
    return guard.in_session(machine, on.life()) && guard.epoch() == on.epoch() &&
           !guard.orders(machine, task) && guard.in_session_with(number, scheduler.life());
  }

  bool owner_knows(const owner_state& owner, const task_id& task, machine_id machine) {
    auto [it, is_new] = known_.try_emplace(&owner);
    for (scheduler_id s = 0; is_new && s < owner.config.schedulers; ++s)
      for (const auto& r : owner.core->running_of(s))
        it->second.insert({r.task, r.machine});
    return it->second.contains({task, machine});
  }

  void look_at_scheduler(const stage::process& who) {
    const auto* state = scheduler_at(who.number);
    if (state == nullptr)
      return;
    for (const auto& [task, where] : state->core->survival()->running) {
      ++books_.believed;
      if (state->core->survival()->unsure.contains(task)) {
        ++books_.silent; // it may run on any machine that its owner does not know yet
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
      else if (!settled(*between, *host, where, task, *state->core->survival(), who.number))
        ++books_.on_the_way;
      else if (owner_knows(*between, task, where))
        fail(task, where, "is believed to run by its scheduler and its owner, and does not");
      else if (between->core->has_news() || between->core->has_unseen() ||
               state->core->survival()->partial.contains(between->core->id()))
        ++books_.on_the_way;
      else
        fail(task, where, "is believed to run by its scheduler alone");
    }
  }

  void look_at_machine(const stage::process& who) {
    const auto* host = machine_at(who.number);
    if (host == nullptr)
      return;
    for (const auto& [task, by] : host->running_for()) {
      const auto* state = scheduler_at(by);
      const auto* between = owner_of(who.number);
      if (state == nullptr || between == nullptr) {
        ++books_.unheard;
        continue;
      }
      const auto& known = state->core->survival()->running;
      const auto it = known.find(task);
      if (it != known.end() && it->second == who.number)
        continue;
      ++books_.unheard;
      const auto& books = *state->core->survival();
      if (books.unsure.contains(task) || books.partial.contains(between->core->id()) ||
          state->core->awaits_answer(task) ||
          !settled(*between, *host, who.number, task, *state->core->survival(), by))
        continue;
      fail(task, who.number,
           owner_knows(*between, task, who.number)
             ? "runs, as its owner knows, and its scheduler does not know"
             : "runs, and neither its owner nor its scheduler know");
    }
  }

  // -- where schedulers talk to machines --

  const sparrow_survival* sparrow_at(std::uint32_t number) const {
    const auto* state =
      answering<guarded_sparrow_actor, guarded_sparrow_state>(on_.latest(role::scheduler, number));
    return state != nullptr && state->core && !state->core->taking_over() ? &*state->core : nullptr;
  }

  const queue_guard* queue_at(machine_id number) const {
    const auto* state =
      answering<guarded_queue_actor, guarded_queue_state>(on_.latest(role::machine, number));
    return state != nullptr && state->guard ? &*state->guard : nullptr;
  }

  bool in_session(const sparrow_survival& with, std::uint32_t scheduler, const queue_guard& on,
                  machine_id machine) const {
    return with.in_session(machine, on.life(scheduler)) &&
           on.epoch(scheduler) == on_.latest(role::scheduler, scheduler)->number_of_life;
  }

  void look_at_sparrow(const stage::process& who) {
    const auto* of = sparrow_at(who.number);
    if (of == nullptr)
      return;
    of->core().visit_running([&](const task_id& task, machine_id where) {
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

  void look_at_queue(const stage::process& who) {
    const auto* host = queue_at(who.number);
    if (host == nullptr)
      return;
    for (const auto& [task, by] : host->running_for()) {
      const auto* of = sparrow_at(by);
      if (of != nullptr && of->core().may_run(task, who.number))
        continue; // it runs for its scheduler, or the start is being told
      ++books_.unheard;
      if (of != nullptr && in_session(*of, by, *host, who.number))
        fail(task, who.number, "runs, and its scheduler does not know");
    }
  }

  const stage& on_;
  std::vector<owner_id> owners_; ///< by partition
  bool probing_;                 ///< schedulers probe machines
  std::map<const owner_state*, std::set<std::pair<task_id, machine_id>>> known_; ///< by owners
  running_books books_;
};

} // namespace

running_books compare_running(const stage& on, const run_settings& settings) {
  return comparison{on, settings}.run();
}

} // namespace troupe
