#include "actors/recorder/recorder.hpp"

#include "actors/common/handlers.hpp"
#include "actors/recorder/sample_booking.hpp"
#include "model/cluster/present_capacity.hpp"

#include <algorithm>

namespace troupe {

namespace {

using recorder_pointer = recorder_actor::stateful_pointer<recorder_state>;

/// How long an answer may take; only a busy machine in real time comes near it.
constexpr auto patience = std::chrono::minutes{2};

/// The time of the questions to members that have run for some time.
constexpr duration before_the_beginning = std::chrono::milliseconds{100};

/// From when on schedulers, nodes, owners and the allocator are asked.
constexpr std::size_t schedulers_stage = 1;

void next_stage(recorder_pointer self);
void take_sample(recorder_pointer self, std::size_t first_stage = 0);

void answered(recorder_pointer self) {
  if (--self->state.current.missing == 0)
    next_stage(self);
}

/// Asks `from`, which is `number` of its `role`, for its sample and books it with `merge`.
template <class Status, class Handle, class Question, class Merge>
void ask(recorder_pointer self, const char* role, std::size_t number, const Handle& from,
         Question question, Merge merge) {
  const bool may_fail = static_cast<bool>(self->state.config.reach);
  if (may_fail && !from) {
    ++self->state.current.silent;
    return;
  }
  ++self->state.current.missing;
  self->request(from, may_fail ? self->state.config.patience : duration{patience}, question)
    .then(
      [self, merge](Status& status) {
        merge(self->state.current, status);
        answered(self);
      },
      [self, role, number, may_fail](caf::error& why) {
        ++self->state.current.silent;
        if (!may_fail)
          self->state.current.error = std::string{role} + " " + std::to_string(number) +
                                      " does not answer any more (" + self->system().render(why) +
                                      "); see the log";
        answered(self);
      });
}

/// Notes an answer and its incarnation. Returns whether the member has replaced another one.
void note_heard(recorder_pointer self, role what, std::uint32_t number, const sample_mark& mark) {
  auto& state = self->state;
  auto& known = state.heard[{what, number}];
  const auto before = known.incarnation != 0 ? known.incarnation : state.config.first_incarnation;
  known = mark;
  if (before == 0 || before == mark.incarnation || what == role::allocator)
    return;
  const std::lock_guard lock{state.config.record->mutex};
  state.config.record->replaced = true;
}

/// Asks a member that may fail, and that therefore keeps its counts until they are acknowledged.
template <class Status, class Handle, class Merge>
void ask_member(recorder_pointer self, role what, std::uint32_t number, Merge merge) {
  auto& state = self->state;
  const auto to = caf::actor_cast<Handle>(state.config.reach(what, number, 0));
  ask<Status>(self, "", number, to,
              sample_request{state.heard[{what, number}], state.last, state.current.detailed},
              [self, what, number, merge](sample_round& round, Status& status) {
                note_heard(self, what, number, status.mark);
                merge(round, status);
              });
}

/// Returns the members of a kind to ask, by their numbers.
template <class Handle>
std::vector<Handle> those(recorder_pointer self, role what, std::size_t kind,
                          const std::vector<Handle>& handles) {
  const auto& config = self->state.config;
  if (!config.reach)
    return handles;
  std::vector<Handle> found;
  for (std::uint32_t n = 0; n < config.members[kind]; ++n)
    found.push_back(caf::actor_cast<Handle>(config.reach(what, n, 0)));
  return found;
}

void ask_workloads(recorder_pointer self) {
  const auto workloads = those(self, role::workload, 2, self->state.config.workloads);
  for (std::uint32_t w = 0; w < workloads.size(); ++w) {
    const auto merge = [w](sample_round& round, const workload_status& status) {
      round.workloads.push_back(status);
      round.workload_numbers.push_back(w);
    };
    if (self->state.last)
      ask<workload_status>(self, "workload", w, workloads[w], flush_atom_v, merge);
    else
      ask<workload_status>(self, "workload", w, workloads[w], sample_atom_v, merge);
  }
}

/// Asks the job stores once more, so that there are answers from before and after those of the
/// schedulers.
void ask_stores_again(recorder_pointer self) {
  if (!self->state.config.reach || !self->state.last)
    return;
  const auto workloads = those(self, role::workload, 2, self->state.config.workloads);
  for (std::uint32_t w = 0; w < workloads.size(); ++w)
    ask<workload_status>(self, "workload", w, workloads[w], flush_atom_v,
                         [w](sample_round& round, const workload_status& status) {
                           round.later.push_back(account_of(w, status));
                         });
}

/// Books the records in the answer of a scheduler. At the end of the run, asks for the others that
/// it has.
void take_records(recorder_pointer self, std::uint32_t number, scheduler_status& status) {
  auto& state = self->state;
  const bool more = status.records.more;
  if (state.config.begins != duration::zero())
    status.records.move_earlier(state.config.begins);
  state.records.add(std::move(status.records));
  if (state.last && more)
    ask_member<scheduler_status, sampled_scheduler_actor>(
      self, role::scheduler, number, [self, number](sample_round&, scheduler_status& answer) {
        take_records(self, number, answer);
      });
}

bool is_from_plugin(const recorder_config& config, std::uint32_t scheduler) {
  return scheduler < config.from_plugin.size() && config.from_plugin[scheduler];
}

/// Keeps the details of a scheduler, and the rest of its answer where it is shown.
void keep_details(sample_round& round, std::uint32_t number, scheduler_status& status) {
  scheduler_answer answer{number, status.mark.incarnation, {}, std::move(status.details)};
  if (round.shown)
    for (const auto& part : status.samples)
      answer.sample.merge(part.sample);
  round.live.schedulers.push_back(std::move(answer));
}

void ask_schedulers(recorder_pointer self) {
  const auto& with = self->state.config;
  const auto merge_as = [self](std::uint32_t number) {
    return [self, number](sample_round& round, scheduler_status& status) {
      auto& account = round.schedulers[number];
      account.incarnation = status.mark.incarnation;
      account.places = status.places;
      scheduler_row row{round.from, round.to, status.scheduler};
      for (const auto& part : status.samples) {
        round.groups.at(part.group).merge(part.sample);
        row.add(part.sample);
        account.counted += part.sample.tasks;
      }
      round.scheduler_rows.push_back(row);
      round.all_idle = round.all_idle && status.idle;
      round.answered.insert(status.scheduler);
      if (round.shown || round.detailed)
        keep_details(round, number, status);
      const auto& config = self->state.config;
      if (config.records_of_plugin && is_from_plugin(config, number))
        status.records = config.records_of_plugin(number, status, self->state.last);
      take_records(self, number, status);
    };
  };
  if (with.reach)
    for (std::uint32_t s = 0; s < with.members[0]; ++s)
      ask_member<scheduler_status, sampled_scheduler_actor>(self, role::scheduler, s, merge_as(s));
  else
    for (std::uint32_t s = 0; s < with.schedulers.size(); ++s)
      if ((with.records || self->state.current.detailed) && !is_from_plugin(with, s))
        ask<scheduler_status>(
          self, "scheduler", s, caf::actor_cast<sampled_scheduler_actor>(with.schedulers[s]),
          sample_request{{}, self->state.last, self->state.current.detailed}, merge_as(s));
      else
        ask<scheduler_status>(self, "scheduler", s, with.schedulers[s], sample_atom_v, merge_as(s));
}

void ask_nodes(recorder_pointer self) {
  const auto merge = [](sample_round& round, const node_status& status) {
    round.nodes.launched += status.launched;
    round.nodes.ended += status.ended;
    round.nodes.killed += status.killed;
    round.nodes.over_capacity += status.over_capacity;
    round.nodes.queues.merge(status.queues);
  };
  const auto& with = self->state.config;
  for (std::size_t n = 0; n < with.nodes.size(); ++n)
    ask<node_status>(self, "node", n, with.nodes[n], sample_atom_v, merge);
  if (!with.find_nodes)
    return;
  for (const auto& [number, incarnation, handle] : with.find_nodes())
    ask<node_status>(self, "node", number, handle, sample_atom_v,
                     [self, number, incarnation](sample_round&, const node_status& status) {
                       self->state.nodes.hear(number, incarnation, status);
                     });
}

void ask_owners(recorder_pointer self) {
  const auto merge = [](sample_round& round, owner_status& status) {
    const auto& s = status.sample;
    round.owners.merge(s);
    if (round.shown || round.detailed)
      round.live.owners.push_back(
        {status.owner, status.mark.incarnation, s, std::move(status.partitions)});
  };
  const auto& with = self->state.config;
  if (with.reach)
    for (std::uint32_t o = 0; o < with.members[1]; ++o)
      ask_member<owner_status, owner_actor>(self, role::owner, o, merge);
  else
    for (std::size_t o = 0; o < with.owners.size(); ++o)
      if (self->state.current.detailed)
        ask<owner_status>(self, "owner", o, with.owners[o],
                          sample_request{{}, self->state.last, true}, merge);
      else if (self->state.last)
        ask<owner_status>(self, "owner", o, with.owners[o], flush_atom_v, merge);
      else
        ask<owner_status>(self, "owner", o, with.owners[o], sample_atom_v, merge);
}

void ask_allocators(recorder_pointer self) {
  const auto merge = [](sample_round& round, const allocator_status& status) {
    round.offers = status;
  };
  const auto& with = self->state.config;
  for (std::size_t a = 0; a < with.allocators.size(); ++a)
    ask<allocator_status>(self, "allocator", a, with.allocators[a], sample_atom_v, merge);
  if (with.finds_allocator)
    ask_member<allocator_status, allocator_actor>(self, role::allocator, 0, merge);
}

/// Counts those tasks as running that have started, though their schedulers have not heard of it.
void add_starts(recorder_state& state) {
  if (!state.config.starts)
    return;
  const auto starts = state.config.starts();
  auto& told = state.starts_told;
  told.resize(std::max(starts.size(), state.current.groups.size()));
  for (std::size_t g = 0; g < state.current.groups.size() && g < starts.size(); ++g) {
    auto& sample = state.current.groups[g];
    told[g] += sample.sparrow.started;
    const auto untold = std::min(starts[g] - std::min(starts[g], told[g]), sample.tasks.in_commit);
    sample.tasks.in_commit -= untold;
    sample.tasks.running += untold;
  }
}

/// Records the partitions of a booked sample, and shows it.
void tell_details(recorder_state& state) {
  auto& round = state.current;
  auto& live = round.live;
  live.detailed = round.detailed;
  live.from = round.from;
  live.to = round.to;
  if (state.config.partitions > 0) {
    const std::lock_guard lock{state.config.record->mutex};
    state.config.record->partitions.add(live);
  }
  if (!round.shown)
    return;
  live.groups = round.groups;
  live.utilization = round.utilization;
  live.resources = round.owners.resources;
  live.nodes = round.nodes;
  live.offers = round.offers.all;
  state.config.record->live->add(live);
}

/// Passes on the records of ends that are long ago; at the end of the run, all of them.
void pass_records_on(recorder_state& state) {
  if (!state.config.records)
    return;
  const std::lock_guard lock{state.config.record->mutex};
  auto& passed = state.config.record->records;
  if (state.last)
    state.records.take_all(passed);
  else
    state.records.take_until(state.current.to - state.config.record_delay, passed);
}

void complete(recorder_pointer self) {
  auto& state = self->state;
  state.sampling = false;
  if (state.config.find_nodes)
    state.current.nodes = state.nodes.take();
  if (std::exchange(state.begins, false)) {
    const std::lock_guard lock{state.config.record->mutex};
    state.config.record->nodes = state.current.nodes;
    // A late answer would leave out the counts since the beginning.
    if (state.config.clock.now(self) > instant{0})
      state.config.record->replaced = true;
  } else {
    if (state.config.reach)
      trust_stores(state.current, state.before);
    add_starts(state);
    const auto* machines = state.config.machines.get();
    book_sample(state.current, machines != nullptr ? present_capacity(*machines) : resource_sum{},
                state.last, *state.config.record);
    tell_details(state);
  }
  pass_records_on(state);
  if (state.last) {
    std::lock_guard lock{state.config.record->mutex};
    state.config.record->flushed = true;
    state.flushed.deliver(caf::ok_atom_v);
  } else if (state.flush_waits) {
    state.last = true;
    take_sample(self);
  } else if (std::exchange(state.end_waits, false)) {
    take_sample(self);
  }
}

void next_stage(recorder_pointer self) {
  static constexpr void (*stages[])(recorder_pointer) = {
    ask_workloads, ask_schedulers, ask_stores_again, ask_nodes, ask_owners, ask_allocators};
  auto& current = self->state.current;
  while (current.missing == 0 && current.stage < std::size(stages))
    stages[current.stage++](self);
  if (current.missing == 0)
    complete(self);
}

void take_sample(recorder_pointer self, std::size_t first_stage) {
  auto& state = self->state;
  const auto from = state.current.to;
  state.sampling = true;
  state.current = {};
  state.current.stage = first_stage;
  state.current.from = from;
  state.current.to = state.begins ? instant{0} : state.config.clock.now(self);
  state.current.groups.resize(state.config.groups);
  const auto& board = state.config.record->live;
  state.current.shown = board != nullptr;
  state.current.detailed = (board && board->watched()) || state.config.partitions > 0;
  next_stage(self);
}

void wait_for_next(recorder_pointer self) {
  auto& state = self->state;
  state.due = state.times.next();
  self->scheduled_send(self, state.config.clock.at(state.due.at), due_atom_v);
}

} // namespace

recorder_actor::behavior_type recorder(recorder_actor::stateful_pointer<recorder_state> self,
                                       recorder_config config) {
  install_handlers(self);
  self->state.config = std::move(config);
  self->state.times = {self->state.config.interval, self->state.config.ends_within};
  if (const auto partitions = self->state.config.partitions; partitions > 0) {
    const std::lock_guard lock{self->state.config.record->mutex};
    self->state.config.record->partitions = partition_series{partitions};
  }
  wait_for_next(self);
  if (const auto& with = self->state.config; with.find_nodes)
    self->scheduled_send(self, with.clock.at(-before_the_beginning), start_atom_v);
  return {
    [self](start_atom) {
      if (self->state.sampling || self->state.last)
        return;
      self->state.begins = true;
      take_sample(self, schedulers_stage);
    },
    [self](due_atom) {
      // A sample that is still under way goes on into this interval.
      if (!self->state.sampling && !self->state.last)
        take_sample(self);
      else
        self->state.end_waits = self->state.end_waits || self->state.due.within;
      wait_for_next(self);
    },
    [self](flush_atom) -> caf::result<caf::ok_atom> {
      auto& state = self->state;
      state.flushed = self->make_response_promise<caf::ok_atom>();
      if (!state.sampling) {
        state.last = true;
        take_sample(self);
      } else {
        state.flush_waits = true;
      }
      return state.flushed;
    },
  };
}

} // namespace troupe
