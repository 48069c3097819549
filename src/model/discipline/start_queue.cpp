#include "model/discipline/start_queue.hpp"

#include "model/discipline/molding.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

start_queue::start_queue(start_discipline discipline, start_ordering by,
                         std::span<const resource> kinds, const machine_windows* windows)
  : discipline_(discipline),
    pools_(windows),
    line_(std::move(by)),
    conservative_(pools_, kinds, widths_) {}

void start_queue::choose_widths(width_rule by) {
  widths_ = by;
  easy_.choose_widths(by);
  conservative_.choose_widths(by);
}

// -- what there is --------------------------------------------------------------------------------

void start_queue::gain() {
  easy_.changed();
  try_again();
}

void start_queue::set_capacity(const resource_sum& own, const resource_sum& others, instant now,
                               std::uint32_t pool) {
  if (own == pools_.capacity(pool) && others == pools_.others(pool))
    return;
  if (conservative())
    conservative_.change_capacity(pools_, pool, own, others, now);
  pools_.set_capacity(pool, own, others);
  gain();
}

void start_queue::begin_run(const task_id& task, const resources& demand, instant end, instant now,
                            std::uint32_t pool) {
  if (pools_.begin_run(task, {end, demand}, pool) && conservative())
    conservative_.begin_run({pool, {end, demand}}, now);
}

void start_queue::end_run(const task_id& task, instant now) {
  const auto ended = pools_.end_run(task);
  if (!ended)
    return;
  if (conservative())
    conservative_.end_run(*ended, now);
  gain();
}

void start_queue::take_back_run(const task_id& task, instant now) {
  if (const auto run = pools_.end_run(task); run && conservative())
    conservative_.take_back_run(*run, now);
}

// -- what waits -----------------------------------------------------------------------------------

void start_queue::add(const start_request& what, instant now) {
  pools_.count_estimate(what.estimate);
  auto added = line_.rank(what, now);
  if (!added)
    return;
  if (conservative())
    conservative_.admit(*added, line_, pools_, now);
  easy_.added(line_.insert(*std::move(added)));
}

void start_queue::erase(std::size_t index) {
  line_.erase(index);
  easy_.erased(index);
}

bool start_queue::remove(const task_id& first, instant now) {
  const auto index = line_.find(first);
  if (!index)
    return false;
  if (conservative())
    conservative_.withdraw(line_[*index], now);
  erase(*index);
  gain();
  return true;
}

instant start_queue::reserved_at(const task_id& first) const {
  const auto index = line_.find(first);
  if (!index)
    return far_future;
  if (conservative())
    return line_[*index].start;
  return discipline_ == start_discipline::easy && *index == 0 ? easy_.reserved_at() : far_future;
}

// -- who starts -----------------------------------------------------------------------------------

void start_queue::note_opening(instant now) {
  if (pools_.windows() == nullptr)
    return;
  const auto opening = pools_.windows()->next_end(now);
  if (std::exchange(opening_, opening) != opening)
    gain();
}

std::optional<start_choice> start_queue::choose(instant now) {
  if (conservative())
    return conservative_.next(line_, pools_, now);
  if (line_.empty())
    return std::nullopt;
  auto& first = line_.front();
  if (!first.no_place) {
    if (mold_for_first_start(first.what, pools_, widths_, now))
      easy_.changed();
    if (auto where = pools_.fit_now(first.what, now))
      return start_choice{0, *std::move(where)};
  }
  return discipline_ == start_discipline::easy ? easy_.next_behind_first(line_, pools_, now)
                                               : std::nullopt;
}

std::optional<start_request> start_queue::next(instant now) {
  if (line_.sort_again(now))
    easy_.changed();
  note_opening(now);
  auto found = choose(now);
  if (!found)
    return std::nullopt;
  returned_ = *std::move(found);
  const auto& e = line_[returned_.index];
  if (pools_.windows() != nullptr && e.was_without_place && passes_nobody())
    returned_.where = pools_.open_for(e.what, now, expected_end(e, now));
  left_ = returned_.where;
  return e.what;
}

std::optional<instant> start_queue::next_due(instant now) const {
  auto due = conservative_.next_due() > now ? conservative_.next_due() : far_future;
  if (pools_.windows() != nullptr && !line_.empty())
    due = std::min(due, pools_.windows()->next_end(now));
  return due < far_future ? std::optional{due} : std::nullopt;
}

void start_queue::started(instant now) {
  const auto& e = line_[returned_.index];
  if (conservative())
    conservative_.started(e);
  else
    easy_.started(e, returned_, now);
  erase(returned_.index);
}

/// Has a moldable request that found no machines in the pools that were chosen for it look in all
/// that are open, in the same shape. Returns false if it has, or may not.
bool start_queue::look_wider(queued_request& e) const {
  if (pools_.windows() == nullptr || e.what.shapes.empty() || !passes_nobody())
    return false;
  return !std::exchange(e.was_without_place, true);
}

/// Takes the shape that was tried, and all wider ones, from a request for which no machines were
/// found although there is enough in all: tasks that each need several units may never fit in that
/// number. Returns false if it has no narrower shape.
bool start_queue::make_narrower(queued_request& e, instant now) {
  if (!has_narrower_shape(e.what))
    return false;
  const auto narrow = [](queued_request& wide) {
    drop_wide_shapes(wide.what);
    wide.was_without_place = false;
  };
  if (conservative()) {
    conservative_.reserve_changed(e, pools_, now, narrow);
    conservative_.gave_back();
  } else {
    narrow(e);
  }
  if (returned_.index == 0)
    easy_.changed();
  return true;
}

void start_queue::has_no_place(instant now) {
  auto& e = line_[returned_.index];
  if (look_wider(e) || make_narrower(e, now))
    return;
  line_.note_no_place(returned_.index);
  if (returned_.index == 0)
    easy_.changed();
}

void start_queue::try_again() {
  if (line_.forget_no_place())
    easy_.changed();
}

} // namespace troupe
