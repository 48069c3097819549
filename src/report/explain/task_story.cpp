#include "report/explain/task_story.hpp"

#include "report/explain/wait_track.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// Builds the story event by event.
class story_teller {
public:
  story_teller(const job& of, std::uint32_t task) : of_(of) {
    story.task = {of.id, task};
    story.group_index = group_of_task(of, task);
  }

  void hear(const watched_event& e) {
    if (!concerns(e))
      return;
    waits_.pass(e.at);
    switch (e.what) {
    case watched::submitted:
      story.submitted = e.since;
      if (e.why != wait_reason::none)
        waits_.at_scheduler = e.why;
      if (waits_.empty())
        waits_.open(e.since,
                    group().after.empty() ? waits_.at_scheduler : wait_reason::waits_for_group);
      break;
    case watched::taken_over:
      story.takeovers.emplace_back(e.at, e.scheduler);
      break;
    case watched::ran_before:
      if (story.runs.empty() || story.runs.back().end != run_end::runs)
        story.runs.push_back({.machine = e.machine, .scheduler = e.scheduler});
      waits_.close(e.at);
      break;
    case watched::reason:
      hear_reason(e);
      break;
    case watched::found_none:
      ++story.found_none;
      waits_.turn(reason_of(e), e.at);
      break;
    case watched::passed_over:
    case watched::set_aside:
      pending_ = {};
      if (e.why == wait_reason::tenant_at_maximum) {
        waits_.turn(e.why, e.at);
        break;
      }
      ++story.gang.passed_over;
      if (story.gang.since == no_instant)
        story.gang.since = e.at;
      if (e.what == watched::set_aside)
        story.gang.most_placed = std::max(story.gang.most_placed, e.count);
      waits_.turn(wait_reason::gang_incomplete, e.at);
      break;
    case watched::offered:
      if (waits_.why() == wait_reason::no_offer)
        waits_.turn(wait_reason::behind_others, e.at);
      break;
    case watched::picked:
      pending_ = e;
      break;
    case watched::decided:
      decide(e);
      break;
    case watched::held:
      story.gang.holds.push_back({e.at, e.owner, e.count});
      break;
    case watched::reserved:
    case watched::probed:
      if (e.count == story.group_index) {
        story.probes.push_back(
          {e.at, e.scheduler, e.what == watched::reserved, e.machines, no_instant, 0});
        waits_.release(e.at);
        waits_.turn(wait_reason::probing, e.at);
      }
      break;
    case watched::answered:
      for (auto& p : story.probes)
        if (p.answered == no_instant && p.machines == e.machines) {
          p.answered = e.at;
          p.with_room = e.count;
          break;
        }
      break;
    case watched::asked:
      asked_ = e;
      break;
    case watched::sent:
      send(e);
      break;
    case watched::granted:
    case watched::started:
      place(e);
      break;
    case watched::diverted:
    case watched::evicted_for:
      if (e.what == watched::evicted_for)
        evicted_ = e;
      break;
    case watched::refused:
      refuse(e);
      break;
    case watched::queued_again:
      if (!story.attempts.empty() && story.attempts.back().outcome == attempt_outcome::open)
        story.attempts.back().outcome = attempt_outcome::taken_back;
      waits_.open(e.at, story.probes.empty() ? waits_.at_scheduler : wait_reason::probing);
      break;
    case watched::waits_until:
      back_off(e);
      break;
    case watched::moved:
      story.moves.emplace_back(e.at, e.machine);
      if (!story.runs.empty())
        story.runs.back().machine = e.machine;
      break;
    case watched::lost:
      end_run(run_end::lost, e.since);
      waits_.open(e.since, waits_.at_scheduler);
      break;
    case watched::preempted:
      end_run(run_end::preempted, e.since);
      if (!story.runs.empty()) {
        story.runs.back().worked = e.age;
        if (evicted_) {
          story.runs.back().by = evicted_->other;
          story.runs.back().by_priority = evicted_->priority;
        }
      }
      evicted_ = {};
      waits_.open(e.since, waits_.at_scheduler);
      break;
    case watched::put_back:
      end_run(run_end::unknown, e.since);
      waits_.open(e.since, waits_.at_scheduler);
      break;
    case watched::ended:
      end(e);
      break;
    }
  }

  task_story finish(instant until) {
    waits_.pass(until);
    story.waits = waits_.finish();
    return std::move(story);
  }

  task_story story;

private:
  const task_group& group() const { return of_.groups[story.group_index]; }

  bool concerns(const watched_event& e) const {
    switch (e.what) {
    case watched::submitted:
    case watched::taken_over:
    case watched::passed_over:
    case watched::set_aside:
    case watched::held:
    case watched::offered:
    case watched::reserved:
    case watched::probed:
    case watched::answered:
      return true;
    default:
      return e.task == story.task.index;
    }
  }

  wait_reason reason_of(const watched_event& e) const {
    if (!e.pick)
      return waits_.waiting() && waits_.why() != wait_reason::behind_others ? waits_.why()
                                                                            : wait_reason::no_room;
    const auto& seen = e.pick->seen;
    const auto small = seen.count(machine_check::too_small);
    if (seen.count(machine_check::kept_away) > 0)
      return wait_reason::kept_away;
    if (seen.count(machine_check::closed) > 0)
      return wait_reason::closed;
    if (small == seen.machines)
      return wait_reason::never_fits;
    return small + seen.count(machine_check::no_match) == seen.machines ? wait_reason::no_match
                                                                        : wait_reason::no_room;
  }

  void hear_reason(const watched_event& e) {
    switch (e.why) {
    case wait_reason::no_room: // it is the next one: what is found decides
    case wait_reason::none:
    case wait_reason::in_commit:
    case wait_reason::owner_silent:
      break;
    case wait_reason::behind_others:
      waits_.behind(e.count, e.at);
      break;
    default:
      waits_.turn(e.why, e.at, e.count);
    }
  }

  void decide(const watched_event& e) {
    story_attempt a;
    a.scheduler = e.scheduler;
    a.decided = e.at;
    a.age = e.age;
    a.began = e.at;
    if (pending_) {
      a.began = pending_->at;
      a.machine = pending_->machine;
      a.pick = pending_->pick;
    } else if (e.machine != no_machine) {
      a.machine = e.machine;
      a.owner = e.owner;
      a.by_plugin = true;
    }
    if (story.eligible == no_instant || e.since > story.submitted)
      waits_.split(e.since);
    story.eligible = e.since;
    waits_.close(a.began);
    story.attempts.push_back(std::move(a));
    story.gang.holds.clear();
    pending_ = {};
  }

  void send(const watched_event& e) {
    story_attempt a;
    a.scheduler = e.scheduler;
    a.decided = e.at;
    a.machine = e.machine;
    if (asked_) {
      a.late = true;
      a.reserved_on = asked_->machines.front();
    }
    asked_ = {};
    story.attempts.push_back(std::move(a));
    waits_.turn(wait_reason::reserved, e.at);
  }

  void place(const watched_event& e) {
    const auto at = e.what == watched::started ? e.since : e.at;
    waits_.close(at);
    if (!story.attempts.empty() && story.attempts.back().outcome == attempt_outcome::open) {
      auto& a = story.attempts.back();
      a.outcome = e.what == watched::started ? attempt_outcome::started : attempt_outcome::granted;
      a.answered = at;
      a.got = e.machine;
      a.owner = e.owner;
      a.quality = e.quality;
    }
    story_run r;
    r.machine = e.machine;
    r.owner = e.owner;
    r.scheduler = e.scheduler;
    r.placed = at;
    if (e.what == watched::started)
      r.started = at;
    else
      story.eligible = e.since;
    story.runs.push_back(r);
  }

  void refuse(const watched_event& e) {
    if (story.attempts.empty())
      return;
    auto& a = story.attempts.back();
    a.outcome = attempt_outcome::refused;
    a.answered = e.at;
    a.owner = e.owner;
    a.machine = e.machine;
    a.refusal = e.refusal;
    a.winner_granted = e.winner_granted;
    a.winner_task = e.winner_task;
    waits_.open(e.at,
                wait_reason::in_commit); // until the other owners of its transaction have answered
  }

  void back_off(const watched_event& e) {
    if (!story.attempts.empty()) {
      story.attempts.back().retry_at = e.since;
      story.attempts.back().waits_for_refresh = e.count > 0;
    }
    waits_.back_off(
      e.since, e.count > 0 ? wait_reason::waits_for_refresh : wait_reason::behind_others, e.at);
  }

  void end_run(run_end how, instant at) {
    if (story.runs.empty() || story.runs.back().end != run_end::runs)
      return;
    story.runs.back().end = how;
    story.runs.back().ended = at;
  }

  void end(const watched_event& e) {
    story.fate = e.fate;
    story.ended = e.since;
    waits_.close(e.since);
    if (e.fate == task_fate::abandoned)
      return;
    end_run(e.fate == task_fate::finished ? run_end::finished
            : e.fate == task_fate::lost   ? run_end::lost
                                          : run_end::failed,
            e.since);
    if (e.fate == task_fate::finished && !story.runs.empty() &&
        story.runs.back().started == no_instant)
      story.runs.back().started = e.since - runtime();
  }

  duration runtime() const {
    auto index = story.task.index;
    for (std::uint32_t g = 0; g < story.group_index; ++g)
      index -= of_.groups[g].count;
    return group().duration_of(index);
  }

  const job& of_;
  wait_track waits_;
  std::optional<watched_event> pending_; ///< a pick of which nothing was handed out yet
  std::optional<watched_event> asked_;
  std::optional<watched_event> evicted_;
};

} // namespace

std::uint32_t group_of_task(const job& of, std::uint32_t task) {
  std::uint32_t g = 0;
  while (g + 1 < of.groups.size() && task >= of.groups[g].count)
    task -= of.groups[g++].count;
  return g;
}

task_story tell_story(const job& of, std::uint32_t task, std::span<const watched_event> events,
                      instant until) {
  story_teller teller{of, task};
  for (const auto& e : events)
    teller.hear(e);
  return teller.finish(until);
}

} // namespace troupe
