#include "actors/sparrow/sparrow_core.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace troupe {

namespace {

/// Returns n times the ratio, rounded up; a whole number with an error in the last bits is kept.
std::size_t times(double ratio, std::size_t n) {
  return static_cast<std::size_t>(std::ceil(ratio * static_cast<double>(n) - 1e-9));
}

} // namespace

sparrow_core::sparrow_core(scheduler_id id, const catalog& machines, const sparrow_limits& limits,
                           random_stream random, std::uint32_t own_group)
  : id_(id),
    machines_(&machines),
    limits_(limits),
    random_(random),
    pools_(machines),
    books_(own_group) {
  if (limits_.records != record_level::none)
    recording_ = std::make_unique<record_outbox>(
      record_book{limits_.records, id, machines, {}, limits_.watch});
}

// -- deciding -----------------------------------------------------------------------------------

void sparrow_core::submit(std::vector<job> jobs) {
  for (auto& j : jobs) {
    const auto id = j.id;
    const auto tasks = j.task_count();
    if (tasks == 0)
      throw std::invalid_argument("job " + std::to_string(id) + " has no tasks");
    has_stages(j); // throws if their order makes no sense
    const auto [it, added] = jobs_.try_emplace(id);
    if (!added)
      throw std::invalid_argument("job " + std::to_string(id) + " was submitted twice");
    auto& open = it->second;
    open.begin(std::move(j), pools_);
    if (auto* book = records())
      book->submit(open.what);
    undecided_.emplace(std::pair{-std::int64_t{open.what.priority}, submissions_++}, id);
    auto& [counts, sample] = book_of(open);
    counts.submitted += tasks;
    counts.queued += tasks;
    const auto blocked = open.blocked();
    blocked_ += blocked;
    books_.wait(open.what.group, open.what.submitted, std::int64_t{tasks - blocked});
    ++sample.jobs_submitted;
  }
}

std::optional<duration> sparrow_core::decide(instant from) {
  if (undecided_.empty())
    return std::nullopt;
  const auto first = undecided_.begin();
  deciding_ = first->second;
  undecided_.erase(first);
  const auto& j = *find(*deciding_);
  const auto cost = limits_.t_job + limits_.t_task * static_cast<std::int64_t>(j.tasks.size());
  busy_.begin(from);
  busy_.add(j.what.group, cost);
  return cost;
}

double sparrow_core::ratio() const {
  if (!limits_.adaptive_ratio || !met_any_)
    return limits_.ratio;
  return std::clamp(1 / std::max(with_room_.value(), 1e-6), limits_.ratio_min, limits_.ratio_max);
}

void sparrow_core::place(sparrow_outbox& out) {
  busy_.end(books_);
  auto* const decided = find(*deciding_);
  deciding_.reset();
  if (decided == nullptr) // it was abandoned meanwhile
    return;
  auto& j = *decided;
  j.placed = true;
  const auto per_task = ratio();
  if (limits_.how != probing::random)
    book_of(j).sample.sparrow.ratio.add(per_task);
  pools_.begin();
  // The groups with fewer machines to choose from choose first.
  for (const bool constrained : {true, false})
    for (std::uint32_t g = 0; g < j.groups.size(); ++g)
      if (j.what.groups[g].constraints.empty() != constrained)
        place_group(j, g, per_task, out);
  note_shortage(j);
  check_balance();
}

void sparrow_core::place_group(open_job& j, std::uint32_t g, double ratio, sparrow_outbox& out) {
  switch (limits_.how) {
  case probing::late_binding:
    reserve(j, g, times(ratio, j.groups[g].ready()), out);
    break;
  case probing::random:
    send_at_random(j, g, out);
    break;
  default:
    probe_for(j, g, ratio, out);
  }
}

// -- late binding -------------------------------------------------------------------------------

queue_entry sparrow_core::reservation(open_job& j, std::uint32_t g, machine_id on) {
  const auto& what = j.what;
  queue_entry entry{entry_kind::reservation, {}, g, what.tenant, what.priority, on};
  entry.order.task.job = what.id;
  entry.order.launcher = id_;
  entry.order.demand = what.groups[g].demand;
  entry.order.by_scheduler = true;
  entry.order.estimate = estimate_of(j);
  j.reservations.push_back({on, g});
  ++j.groups[g].reserved;
  note_place(what.id, on);
  return entry;
}

void sparrow_core::reserve(open_job& j, std::uint32_t g, std::size_t n, sparrow_outbox& out) {
  draw(j, g, n, !j.what.spread);
  for (const auto m : drawn_)
    out.entries.emplace_back(m, reservation(j, g, m));
  note_drawn(j, watched::reserved, g);
  j.reserved += drawn_.size();
  book_of(j).sample.sparrow.reservations += drawn_.size();
}

void sparrow_core::note_drawn(const open_job& j, watched what, std::uint32_t g) {
  if (auto* watch = watching(j.what.id)) {
    auto& e = watch->note(what, id_);
    e.count = g;
    e.machines = drawn_;
  }
}

void sparrow_core::reserve_what_is_missing(open_job& j, sparrow_outbox& out) {
  if (limits_.how != probing::late_binding || !j.placed ||
      std::ranges::none_of(j.groups, &open_job::group_state::lacks_machines))
    return;
  leave_out_used(j);
  for (std::uint32_t g = 0; g < j.groups.size(); ++g)
    if (j.groups[g].lacks_machines())
      reserve(j, g, j.groups[g].ready() - j.groups[g].reserved, out);
  note_shortage(j);
}

/// Draws machines for a job, on which it has no reservation and which it need not avoid.
void sparrow_core::leave_out_used(const open_job& j) {
  pools_.begin();
  for (const auto& r : j.reservations)
    pools_.leave_out(r.machine);
  if (!j.what.spread)
    return;
  for (const auto& t : j.tasks)
    if (t.state == task_state::sent || t.state == task_state::running)
      pools_.leave_out(t.machine);
}

/// Owners and machines compare it with windows; where there are none, nobody does.
duration sparrow_core::estimate_of(const open_job& j) const {
  return machines_->windows() != nullptr ? j.what.estimate : duration::zero();
}

bool sparrow_core::heeds_windows() const {
  return machines_->windows() != nullptr && limits_.time &&
         !planted(planted_fault::ignored_windows);
}

/// Whether the windows of a machine let tasks of a job start there now.
bool sparrow_core::is_open_to(const open_job& j, machine_id machine) const {
  if (!heeds_windows())
    return true;
  const auto& windows = *machines_->windows();
  return windows.admits_task(windows.class_of(machine), limits_.time(), j.what.estimate,
                             j.what.tenant);
}

/// Draws machines for a group that are open to its tasks now.
void sparrow_core::draw(open_job& j, std::uint32_t g, std::size_t n, bool repeat) {
  drawn_.clear();
  const bool heeds = heeds_windows();
  if (heeds) {
    const auto& windows = *machines_->windows();
    if (!open_)
      open_.emplace(windows);
    for (std::uint32_t c = 0; c < windows.classes(); ++c)
      open_->put(c, windows.admits_task(c, limits_.time(), j.what.estimate, j.what.tenant));
  }
  pools_.draw(j.groups[g].pool, j.what.groups[g].demand, n, repeat, random_, drawn_,
              heeds ? &*open_ : nullptr);
  j.groups[g].closed_out = heeds && drawn_.empty() && n > 0;
}

/// Whether a machine is there, suits a group, and has enough for a task of it, if it is idle.
bool sparrow_core::may_take(const open_job& j, std::uint32_t g, machine_id machine) const {
  return pools_.contains(j.groups[g].pool, machine) &&
         pools_.has_room(machine, j.what.groups[g].demand);
}

std::optional<std::uint32_t> sparrow_core::group_for(const open_job& j,
                                                     const get_task_request& request) const {
  if (request.group >= j.groups.size() || pools_.is_gone(request.machine) ||
      !is_open_to(j, request.machine) || (j.what.spread && j.tasks_on(request.machine) > 0))
    return std::nullopt;
  const auto suits = [&](std::uint32_t g) {
    return j.groups[g].ready() > 0 && may_take(j, g, request.machine) &&
           j.what.groups[request.group].demand.fits(j.what.groups[g].demand);
  };
  if (suits(request.group))
    return request.group;
  for (std::uint32_t g = 0; g < j.groups.size(); ++g)
    if (suits(g))
      return g;
  return std::nullopt;
}

task_assignment sparrow_core::hand_out(const get_task_request& request, sparrow_outbox& out) {
  task_assignment answer{true, request.group, {}};
  answer.order.task.job = request.job;
  answer.order.launcher = id_;
  auto* j = find(request.job);
  if (j == nullptr) {
    ++books_.own().sparrow.requests;
    ++books_.own().sparrow.noops;
    return answer;
  }
  auto& sample = book_of(*j).sample.sparrow;
  ++sample.requests;
  // It knows the stolen entries only where failures are watched.
  j->use_reservation(losses_ ? request.machine : request.placed_on, request.group);
  j->met_room += request.length_met < 0;
  if (const auto g = group_for(*j, request)) {
    const auto task = j->take_task(*g);
    if (auto* watch = watching(request.job)) {
      auto& e = watch->note(watched::asked, id_, task);
      e.machine = request.machine;
      e.machines = {request.placed_on};
    }
    answer.none = false;
    answer.order = launch(*j, *g, task, request.machine);
    sample.stolen += request.machine != request.placed_on;
  } else {
    ++sample.noops;
  }
  if (j->ready() == 0)
    cancel(*j, out);
  else
    reserve_what_is_missing(*j, out);
  check_balance();
  return answer;
}

void sparrow_core::cancel(open_job& j, sparrow_outbox& out) {
  if (!limits_.cancellation || j.reservations.empty())
    return;
  pools_.begin();
  for (const auto& r : j.reservations)
    if (pools_.leave_out(r.machine))
      out.cancellations.push_back({r.machine, {id_, j.what.id}});
  book_of(j).sample.sparrow.cancellations += j.reservations.size();
  j.forget_reservations();
}

// -- probes, and no probes ----------------------------------------------------------------------

void sparrow_core::probe_for(open_job& j, std::uint32_t g, double ratio, sparrow_outbox& out) {
  const std::size_t tasks = j.groups[g].ready();
  const auto each = std::max<std::size_t>(1, times(ratio, 1));
  const auto probes =
    limits_.how == probing::per_task ? each * tasks : std::max(tasks, times(ratio, tasks));
  draw(j, g, probes, true);
  if (drawn_.empty() || tasks == 0)
    return;
  probe_round round{j.what.id, g};
  for (std::size_t i = 0; i < tasks; ++i)
    round.tasks.push_back(j.take_task(g));
  for (const auto m : drawn_)
    round.probes.push_back({m});
  const auto number = rounds_.begin(std::move(round));
  for (std::uint32_t i = 0; i < drawn_.size(); ++i)
    out.probes.emplace_back(drawn_[i], queue_probe{id_, number, i, j.what.groups[g].demand});
  note_drawn(j, watched::probed, g);
  book_of(j).sample.sparrow.probes += drawn_.size();
}

void sparrow_core::answer(const probe_answer& answer, sparrow_outbox& out) {
  const auto round = rounds_.answer(answer);
  if (!round)
    return;
  note_room(round->with_room(), round->probes.size());
  if (auto* watch = watching(round->job)) {
    auto& e = watch->note(watched::answered, id_);
    e.count = round->with_room();
    for (const auto& p : round->probes)
      e.machines.push_back(p.machine);
  }
  assign(*round, out);
  check_balance();
}

void sparrow_core::assign(const probe_round& round, sparrow_outbox& out) {
  auto& j = *find(round.job);
  const auto chosen = round.shortest(limits_.how == probing::batch);
  for (std::size_t i = 0; i < round.tasks.size(); ++i)
    if (const auto to = round.probes[chosen[i]].machine;
        pools_.is_gone(to) || !pools_.has_room(to, j.what.groups[round.group].demand) ||
        !is_open_to(j, to))
      j.put_back(round.tasks[i]);
    else
      send(j, round.group, round.tasks[i], to, out);
  if (j.groups[round.group].ready() > 0) { // the machines chosen for these are gone
    pools_.begin();
    probe_for(j, round.group, ratio(), out);
    note_shortage(j);
  }
}

void sparrow_core::send_at_random(open_job& j, std::uint32_t g, sparrow_outbox& out) {
  draw(j, g, j.groups[g].ready(), true);
  for (const auto m : drawn_)
    send(j, g, j.take_task(g), m, out);
}

void sparrow_core::send(open_job& j, std::uint32_t g, std::uint32_t task, machine_id to,
                        sparrow_outbox& out) {
  out.entries.emplace_back(to, queue_entry{entry_kind::task, launch(j, g, task, to), g,
                                           j.what.tenant, j.what.priority, to});
}

launch_order sparrow_core::launch(open_job& j, std::uint32_t g, std::uint32_t task, machine_id to) {
  auto& [counts, sample] = book_of(j);
  --counts.queued;
  ++counts.in_commit;
  ++sample.sparrow.launched;
  j.tasks[task] = {to, task_state::sent};
  note_place(j.what.id, to);
  if (auto* book = records())
    book->send({j.what.id, task}, to);
  const auto& group = j.what.groups[g];
  return {{j.what.id, task}, id_,  group.demand,  group.duration_of(task - j.groups[g].first),
          no_grant,          true, estimate_of(j)};
}

} // namespace troupe
