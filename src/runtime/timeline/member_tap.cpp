#include "runtime/timeline/member_tap.hpp"

#include "actors/master/master.hpp"
#include "actors/owner/owner.hpp"
#include "actors/protocol/messages.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "actors/sparrow/sparrow_scheduler.hpp"

#include <algorithm>
#include <set>
#include <type_traits>

namespace troupe {

namespace {

/// The queue of a scheduler is told no more often than this.
constexpr auto queue_told_every = std::chrono::milliseconds{20};

template <class Actor, class State>
const State* tapped_state(const caf::monitorable_actor& actor) {
  using stateful = std::remove_pointer_t<typename Actor::template stateful_pointer<State>>;
  const auto* found = dynamic_cast<const stateful*>(&actor);
  return found == nullptr ? nullptr : &found->state;
}

/// Returns the only element of a message if it is a `T`.
template <class T>
const T* content(const caf::type_erased_tuple& message) {
  return message.match_elements<T>() ? &message.get_as<T>(0) : nullptr;
}

std::uint64_t tasks_of(const job& j) {
  std::uint64_t n = 0;
  for (const auto& group : j.groups)
    n += group.count;
  return n;
}

} // namespace

member_tap::member_tap(virtual_coordinator& time, const run_settings& settings, member_events* to)
  : time_(time), settings_(settings), to_(to) {
  if (to_ == nullptr)
    return;
  to_->watched();
  time_.look([this](const auto& actor, const auto* message) { before(actor, message); });
  time_.watch([this](const auto& actor) { after(actor); });
}

member_tap::~member_tap() {
  if (to_ == nullptr)
    return;
  time_.look({});
  time_.watch({});
}

std::string member_tap::policy_of(std::uint32_t group) const {
  const bool own = settings_.pool == 0 && group < settings_.groups.size();
  return own ? settings_.groups[group].scheduler.policy : settings_.scheduler.policy;
}

void member_tap::identify(watched_actor& who, const caf::monitorable_actor& actor) {
  using kind = watched_actor::kind;
  who.is = kind::other;
  if (const auto* s = tapped_state<placing_scheduler_actor, scheduler_state>(actor)) {
    who.is = kind::scheduler;
    who.number = s->config.id;
    who.scheduler = s;
    who.policy = policy_of(s->config.group);
  } else if (const auto* p =
               tapped_state<sparrow_scheduler_actor, sparrow_scheduler_state>(actor)) {
    who.is = kind::prober;
    who.number = p->config.id;
    who.prober = p;
    who.policy = "probing";
  } else if (const auto* o = tapped_state<owner_actor, owner_state>(actor)) {
    who.is = kind::owner;
    who.number = o->config.id;
  } else if (const auto* m = tapped_state<master_actor, master_state>(actor)) {
    who.is = kind::master;
    who.master = m;
    who.rounds = m->rounds;
  }
}

void member_tap::before(const caf::monitorable_actor& actor, const caf::mailbox_element* message) {
  if (!actor.getf(caf::abstract_actor::is_initialized_flag))
    return;
  auto& who = actors_[actor.id()];
  if (who.is == watched_actor::kind::unknown)
    identify(who, actor);
  if (message == nullptr || who.is == watched_actor::kind::other)
    return;
  if (who.is == watched_actor::kind::owner) {
    const auto* request = content<commit_request>(message->content());
    if (request == nullptr)
      return;
    const auto open = commits_.find({request->scheduler, request->id});
    if (open == commits_.end())
      return;
    open->second.mode = request->mode;
    open->second.tasks = std::max(open->second.tasks, std::uint64_t{request->placements.size()});
    open->second.handled.push_back({who.number, time_.now()});
    if (request->settles > 0) // its placements are those that it settles
      if (const auto held = held_.find({request->scheduler, request->settles}); held != held_.end())
        open->second.tasks = held->second;
  } else if (who.is != watched_actor::kind::master) {
    hear_scheduler(who, message->content());
  }
}

void member_tap::hear_scheduler(watched_actor& who, const caf::type_erased_tuple& message) {
  const auto now = time_.now();
  if (const auto* reply = content<commit_reply>(message)) {
    const auto open = commits_.find({who.number, reply->id});
    if (open == commits_.end())
      return;
    auto what = std::move(open->second);
    commits_.erase(open);
    if (what.mode == commit_mode::hold)
      held_[{who.number, reply->id}] = what.tasks;
    what.answered = true;
    what.ended = now;
    const auto* placements = who.scheduler != nullptr && who.scheduler->core
                               ? who.scheduler->core->find(reply->owner, reply->id)
                               : nullptr;
    for (const auto& r : reply->rejections)
      what.refused.push_back({r.cause,
                              placements != nullptr && r.index < placements->size()
                                ? (*placements)[r.index].machine
                                : machine_id{0},
                              r.winner});
    to_->commit(what);
  } else if (const auto* update = content<sync_update>(message)) {
    if (!to_->shows_snapshots() || update->partitions.empty())
      return;
    snapshot_event what{now, who.number, update->owner, update->round, update->partitions.size()};
    for (const auto& p : update->partitions)
      what.age = std::max(what.age, now - p.taken_at);
    to_->snapshot(what);
  } else if (const auto* choice = content<policy_choice>(message)) {
    who.policy = choice->policy;
  } else if (const auto* offered = content<resource_offer>(message)) {
    to_->offer(now, who.number, offered->machines.size());
  } else if (const auto* submitted = content<submission>(message)) {
    std::uint64_t tasks = 0;
    for (const auto& j : submitted->jobs)
      tasks += tasks_of(j);
    to_->arrival(now, who.number, submitted->jobs.size(), tasks);
  } else if (const auto* delivered = content<job_delivery>(message)) {
    std::uint64_t tasks = 0;
    for (const auto& j : delivered->jobs)
      tasks += tasks_of(j.what);
    to_->arrival(now, who.number, delivered->jobs.size(), tasks);
  }
}

void member_tap::after(const caf::monitorable_actor& actor) {
  const auto found = actors_.find(actor.id());
  if (found == actors_.end())
    return;
  auto& who = found->second;
  using kind = watched_actor::kind;
  if (who.is == kind::unknown || who.is == kind::other || who.is == kind::owner)
    return;
  if (actor.getf(caf::abstract_actor::is_cleaned_up_flag)) {
    who.is = kind::other;
    return;
  }
  if (who.is == kind::master)
    hear_master(who);
  else if (who.is == kind::scheduler)
    look_at_scheduler(who);
  else
    look_at_decision(who, *who.prober);
}

void member_tap::hear_master(watched_actor& who) {
  if (std::exchange(who.rounds, who.master->rounds) != who.master->rounds)
    to_->round(time_.now(), who.master->rounds);
}

template <class State>
void member_tap::look_at_decision(watched_actor& who, const State& state) {
  if (!state.core)
    return;
  const auto now = time_.now();
  const bool begins = state.deciding && (!who.deciding || who.due != state.decision_due);
  who.deciding = state.deciding;
  who.due = state.decision_due;
  if (begins) {
    decision_event what{who.number, now, std::max(now, state.decision_due), who.policy};
    if constexpr (std::is_same_v<State, scheduler_state>) {
      std::set<job_id> jobs;
      const auto& batch = state.core->deciding_on();
      for (const auto& d : batch) {
        jobs.insert(d.task.task.job);
        what.view_age = std::max(what.view_age, d.age);
      }
      what.tasks = batch.size();
      what.jobs = jobs.size();
      what.first_job = batch.empty() ? 0 : batch.front().task.task.job;
    }
    to_->decision(what);
  }
  if (begins || now >= who.counted + queue_told_every) {
    who.counted = now;
    to_->queue(now, who.number, state.core->counts().queued);
  }
}

void member_tap::look_at_scheduler(watched_actor& who) {
  const auto& state = *who.scheduler;
  if (!state.core)
    return;
  const auto now = time_.now();
  const auto last = state.core->last_commit();
  // The numbers of another incarnation begin elsewhere.
  auto first = who.last_commit + 1;
  if (last >> 40 != who.last_commit >> 40)
    first = (last >> 40 << 40) + 1;
  for (auto id = first; id <= last; ++id)
    commits_[{who.number, id}] = {who.number, id, commit_mode::each, now};
  who.last_commit = last;
  look_at_decision(who, state);
}

void member_tap::finish() {
  if (to_ == nullptr)
    return;
  for (auto& [key, what] : commits_) {
    what.ended = time_.now();
    to_->commit(what);
  }
  commits_.clear();
}

} // namespace troupe
