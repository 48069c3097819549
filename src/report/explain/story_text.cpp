#include "report/explain/story_text.hpp"

#include "report/explain/attempt_text.hpp"
#include "report/text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace troupe {

namespace {

class story_writer {
public:
  story_writer(const task_story& story, const job& of, const catalog& machines,
               const explain_names& names, instant until)
    : story_(story), of_(of), machines_(machines), names_(names), until_(until) {}

  std::vector<std::string> write() {
    std::vector<std::string> all{headline()};
    tell_submission();
    for (const auto& w : story_.waits)
      tell(w);
    for (const auto& p : story_.probes)
      tell(p);
    for (std::size_t i = 0; i < story_.attempts.size(); ++i)
      tell(story_.attempts[i], i + 1);
    tell_gang();
    for (std::size_t i = 0; i < story_.runs.size(); ++i)
      tell(story_.runs[i], i + 1);
    for (const auto& [at, s] : story_.takeovers)
      say(
        at, rank::cause,
        fmt::format("A standby took over from scheduler {} at {}, with this job.", s, at_text(at)));
    for (const auto& [at, m] : story_.moves)
      say(at, rank::cause,
          fmt::format("Its scheduler heard at {} that it runs on machine {}.", at_text(at), m));
    std::ranges::stable_sort(lines_, {}, [](const line& l) { return std::pair{l.at, l.as}; });
    for (auto& l : lines_)
      all.push_back(std::move(l.text));
    return all;
  }

private:
  /// Sentences of the same instant are in this order: causes go before what comes of them.
  enum class rank : std::uint8_t { submission, cause, wait, attempt };

  struct line {
    instant at{0};
    rank as = rank::cause;
    std::string text;
  };

  void say(instant at, rank as, std::string text) { lines_.push_back({at, as, std::move(text)}); }

  std::string name() const { return names_.task(story_.task); }

  std::string place(machine_id m, owner_id owner) const {
    const auto p = machines_.place_of(m).partition;
    return owner == no_scheduler ? fmt::format("machine {} (partition {})", m, p)
                                 : fmt::format("machine {} (partition {}, owner {})", m, p, owner);
  }

  duration waited_for(bool queued) const {
    duration sum{0};
    for (const auto& w : story_.waits)
      if (queued != (w.why == wait_reason::reserved))
        sum += (w.until == no_instant ? until_ : w.until) - w.from;
    return sum;
  }

  std::string headline() const {
    if (story_.fate == task_fate::abandoned)
      return fmt::format("Task {} was given up at {}, after {}.", name(), at_text(story_.ended),
                         span_text(story_.ended - story_.submitted));
    if (story_.runs.empty())
      return waiting_headline();
    const auto& run = story_.runs.back();
    if (run.end == run_end::lost || run.end == run_end::preempted || run.end == run_end::unknown)
      if (!story_.fate)
        return waiting_headline();
    auto text = fmt::format("Task {} ", name());
    const auto begin = run.started != no_instant ? run.started : run.placed;
    const auto where = run.machine == no_machine ? std::string{"a machine that is not known"}
                                                 : place(run.machine, run.owner);
    if (run.end == run_end::runs)
      text += begin == no_instant ? fmt::format("runs on {} at {}", where, at_text(until_))
                                  : fmt::format("runs on {} since {}", where, at_text(begin));
    else if (begin == no_instant)
      text += fmt::format("ran on {} until {}", where, at_text(run.ended));
    else
      text += fmt::format("ran on {} from {} to {}", where, at_text(begin), at_text(run.ended));
    if (run.end == run_end::failed)
      text += ", and failed";
    if (run.end == run_end::lost)
      text += ", and was lost with the machine";
    return text + delay_text() + '.';
  }

  /// ", after 1.31 s: 1.18 s until scheduler 4 began to decide, 90.0 ms deciding, ..".
  std::string delay_text() const {
    if (story_.attempts.empty() || story_.runs.back().placed == no_instant)
      return "";
    const auto& last = story_.attempts.back();
    if (last.outcome == attempt_outcome::started)
      return fmt::format(", {} after its job was submitted to scheduler {}",
                         span_text(last.answered - story_.submitted), last.scheduler);
    if (last.outcome != attempt_outcome::granted || story_.eligible == no_instant)
      return "";
    if (last.by_plugin)
      return fmt::format(", after {}: {} until scheduler {} committed it, {} in commit",
                         span_text(last.answered - story_.eligible),
                         span_text(last.decided - story_.eligible), last.scheduler,
                         span_text(last.answered - last.decided));
    return fmt::format(
      ", after {}: {} until scheduler {} began to decide, {} deciding, {} in commit",
      span_text(last.answered - story_.eligible), span_text(last.began - story_.eligible),
      last.scheduler, span_text(last.decided - last.began),
      span_text(last.answered - last.decided));
  }

  std::string waiting_headline() const {
    if (!story_.attempts.empty() && story_.attempts.back().outcome == attempt_outcome::open) {
      const auto& a = story_.attempts.back();
      return fmt::format("Task {} has no machine at {}: it was committed to {} at {}, and there "
                         "is no answer yet.",
                         name(), at_text(until_),
                         a.machine == no_machine ? "a machine" : place(a.machine, a.owner),
                         at_text(a.decided));
    }
    auto text = fmt::format("Task {} has no machine at {}", name(), at_text(until_));
    if (!story_.waits.empty() && story_.waits.back().until == no_instant)
      text += fmt::format(": it waits {}, since {}", reason_text(story_.waits.back().why),
                          at_text(story_.waits.back().from));
    return text + '.';
  }

  void tell_submission() {
    const auto& group = of_.groups[story_.group_index];
    const auto tasks = of_.task_count();
    auto text = fmt::format("Its job, of {} task{} in group {}", count_text(tasks),
                            tasks == 1 ? "" : "s", names_.group(of_.id));
    if (names_.settings->tenants.size() > 1)
      text += fmt::format(", of tenant {}", names_.tenant(of_.tenant));
    if (of_.priority != 0)
      text += fmt::format(", with priority {}", of_.priority);
    if (of_.gang)
      text += ", a gang";
    text += fmt::format(", was submitted at {}. The task asks for {}", at_text(of_.submitted),
                        demand_text(group.demand));
    for (const auto& c : group.constraints)
      text += fmt::format(", {}", to_string(c));
    say(of_.submitted, rank::submission, text + '.');
  }

  void tell(const story_wait& w) {
    const auto until = w.until == no_instant ? until_ : w.until;
    auto text = fmt::format("From {} to {} ({}) it waited {}", at_text(w.from), at_text(until),
                            span_text(until - w.from), reason_text(w.why));
    if (w.why == wait_reason::behind_others && w.ahead > 0)
      text += fmt::format(": {} task{} ahead of it", count_text(w.ahead),
                          w.ahead == 1 ? " was" : "s were");
    say(w.from, rank::wait, text + '.');
  }

  void tell(const story_probe& p) {
    auto text = p.reserved ? fmt::format("Scheduler {} reserved places on {} at {}", p.scheduler,
                                         machines_text(p.machines, 5), at_text(p.at))
                           : fmt::format("Scheduler {} probed {} at {}", p.scheduler,
                                         machines_text(p.machines, 5), at_text(p.at));
    if (p.answered != no_instant)
      text += fmt::format("; {} of them had room", p.with_room);
    say(p.at, rank::cause, text + '.');
  }

  void tell(const story_attempt& a, std::size_t number) {
    const attempt_text text{a, number, story_.attempts.size(), names_};
    if (a.began == no_instant) {
      say(a.decided, rank::cause, text.sent());
      return;
    }
    if (a.pick)
      say(a.began, rank::attempt, text.picked());
    else if (a.by_plugin)
      say(a.decided, rank::attempt, text.committed());
    if (a.outcome == attempt_outcome::refused)
      say(a.answered, rank::cause, text.refused());
    else if (a.outcome == attempt_outcome::granted)
      say(a.answered, rank::attempt, text.granted());
    else if (a.outcome == attempt_outcome::open)
      say(a.decided, rank::attempt, text.open());
  }

  void tell_gang() {
    const auto& g = story_.gang;
    if (g.passed_over > 0)
      say(g.since, rank::cause,
          fmt::format("The gang of {} was passed over {} time{} from {} on; at best {} of its "
                      "tasks found a place.",
                      of_.task_count(), count_text(g.passed_over), g.passed_over == 1 ? "" : "s",
                      at_text(g.since), g.most_placed));
    if (g.holds.empty())
      return;
    std::string who;
    for (const auto& h : g.holds)
      who += fmt::format("{}owner {} {} task{} from {} on", who.empty() ? "" : ", ", h.owner,
                         h.tasks, h.tasks == 1 ? "" : "s", at_text(h.at));
    say(g.holds.back().at, rank::attempt,
        fmt::format("The gang of {} was held until all owners had answered: {}.", of_.task_count(),
                    who));
  }

  void tell(const story_run& r, std::size_t number) {
    const auto where = r.machine == no_machine ? std::string{"a machine that is not known"}
                                               : place(r.machine, r.owner);
    if (r.placed == no_instant && r.end == run_end::runs)
      return;
    switch (r.end) {
    case run_end::lost:
      say(r.ended, rank::cause,
          fmt::format("Run {} on {} was lost with the machine at {}.", number, where,
                      at_text(r.ended)));
      break;
    case run_end::preempted: {
      auto text = fmt::format("Run {} on {} ended at {}", number, where, at_text(r.ended));
      if (r.worked != unknown_time)
        text += fmt::format(" after {}", span_text(r.worked));
      text += ": it was preempted";
      if (r.by)
        text += fmt::format(" for task {} (priority {} over {})", names_.task(*r.by), r.by_priority,
                            of_.priority);
      say(r.ended, rank::cause, text + ". That work was lost.");
      break;
    }
    case run_end::unknown:
      say(r.ended, rank::cause,
          fmt::format("At {} it turned out that the task did not run on {}, as its "
                      "scheduler had believed.",
                      at_text(r.ended), where));
      break;
    default:
      break;
    }
  }

  const task_story& story_;
  const job& of_;
  const catalog& machines_;
  const explain_names& names_;
  instant until_;
  std::vector<line> lines_;
};

} // namespace

std::vector<std::string> sentences_of(const task_story& story, const job& of,
                                      const catalog& machines, const explain_names& names,
                                      instant until) {
  return story_writer{story, of, machines, names, until}.write();
}

std::vector<std::string> sentences_of_job(const job& of, std::span<const watched_event> events,
                                          const catalog& machines, const explain_names& names,
                                          instant until) {
  std::map<std::string, std::uint64_t> ends;
  std::uint64_t refusals = 0;
  std::optional<task_story> slowest;
  duration longest{-1};
  instant last = of.submitted;
  for (std::uint32_t i = 0; i < of.task_count(); ++i) {
    auto story = tell_story(of, i, events, until);
    const auto state = story.fate ? std::string{name_of(record_state_of(*story.fate))}
                       : !story.runs.empty() && story.runs.back().end == run_end::runs ? "running"
                                                                                       : "waiting";
    ++ends[state];
    for (const auto& a : story.attempts)
      refusals += a.outcome == attempt_outcome::refused;
    const auto placed = story.runs.empty() || story.runs.back().placed == no_instant
                          ? until
                          : story.runs.back().placed;
    if (placed - of.submitted > longest) {
      longest = placed - of.submitted;
      slowest = std::move(story);
    }
    last = std::max(last, slowest && slowest->fate ? slowest->ended : last);
  }
  std::string states;
  for (const auto& [state, n] : ends)
    states += fmt::format("{}{} {}", states.empty() ? "" : ", ", count_text(n), state);
  std::vector<std::string> all;
  all.push_back(fmt::format("Job {} has {} task{} in group {}: {} at {}.", names.job(of.id),
                            count_text(of.task_count()), of.task_count() == 1 ? "" : "s",
                            names.group(of.id), states, at_text(until)));
  auto about = fmt::format("It was submitted at {}", at_text(of.submitted));
  if (of.gang)
    about += ", as a gang: its tasks start together or not at all";
  all.push_back(about + '.');
  if (refusals > 0)
    all.push_back(fmt::format("{} of its placements {} refused.", count_text(refusals),
                              refusals == 1 ? "was" : "were"));
  if (slowest) {
    all.push_back(fmt::format("Task {} waited longest for its place:", names.task(slowest->task)));
    for (auto& s : sentences_of(*slowest, of, machines, names, until))
      all.push_back(std::move(s));
  }
  return all;
}

} // namespace troupe
