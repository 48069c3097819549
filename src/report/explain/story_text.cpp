#include "report/explain/story_text.hpp"

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
      say(at, fmt::format("A standby took over from scheduler {} at {}, with this job.", s,
                          at_text(at)));
    for (const auto& [at, m] : story_.moves)
      say(at, fmt::format("Its scheduler heard at {} that it runs on machine {}.", at_text(at), m));
    std::ranges::stable_sort(lines_, {}, [](const auto& l) { return l.first; });
    for (auto& [_, text] : lines_)
      all.push_back(std::move(text));
    return all;
  }

private:
  void say(instant at, std::string text) { lines_.emplace_back(at, std::move(text)); }

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
    say(of_.submitted, text + '.');
  }

  void tell(const story_wait& w) {
    const auto until = w.until == no_instant ? until_ : w.until;
    auto text = fmt::format("From {} to {} ({}) it waited {}", at_text(w.from), at_text(until),
                            span_text(until - w.from), reason_text(w.why));
    if (w.why == wait_reason::behind_others && w.ahead > 0)
      text += fmt::format(": {} task{} ahead of it", count_text(w.ahead),
                          w.ahead == 1 ? " was" : "s were");
    say(w.from, text + '.');
  }

  void tell(const story_probe& p) {
    auto text = p.reserved ? fmt::format("Scheduler {} reserved places on {} at {}", p.scheduler,
                                         machines_text(p.machines, 5), at_text(p.at))
                           : fmt::format("Scheduler {} probed {} at {}", p.scheduler,
                                         machines_text(p.machines, 5), at_text(p.at));
    if (p.answered != no_instant)
      text += fmt::format("; {} of them had room", p.with_room);
    say(p.at, text + '.');
  }

  std::string count_of(std::size_t number) const {
    return fmt::format("Attempt {} of {}", number, story_.attempts.size());
  }

  void tell(const story_attempt& a, std::size_t number) {
    if (a.began == no_instant) {
      say(a.decided, sent_text(a, number));
      return;
    }
    if (a.pick)
      say(a.began, pick_text(a, number));
    if (a.outcome == attempt_outcome::refused)
      say(a.answered, refused_text(a, number));
    else if (a.outcome == attempt_outcome::granted)
      say(a.answered, granted_text(a, number));
    else if (a.outcome == attempt_outcome::open)
      say(a.decided, fmt::format("{} was committed at {}; there is no answer yet.",
                                 count_of(number), at_text(a.decided)));
  }

  std::string sent_text(const story_attempt& a, std::size_t number) const {
    auto text = fmt::format("{}: ", count_of(number));
    text += a.late ? fmt::format("machine {} asked for a task at {}, and got this one", a.machine,
                                 at_text(a.decided))
                   : fmt::format("it was sent to machine {} at {}", a.machine, at_text(a.decided));
    if (a.late && a.reserved_on != a.machine)
      text += fmt::format(" (it had taken the place over from machine {})", a.reserved_on);
    if (a.outcome == attempt_outcome::started)
      text += fmt::format("; it started there at {}", at_text(a.answered));
    else if (a.outcome == attempt_outcome::taken_back)
      text += "; it did not start there, and was queued again";
    return text + '.';
  }

  std::string granted_text(const story_attempt& a, std::size_t number) const {
    auto text = fmt::format("{} was granted by owner {} at {}", count_of(number), a.owner,
                            at_text(a.answered));
    if (a.got != a.machine && a.machine != no_machine)
      text += fmt::format(": not machine {}, which had no room any more, but machine {}", a.machine,
                          a.got);
    return text + '.';
  }

  std::string refused_text(const story_attempt& a, std::size_t number) const {
    const auto& r = *a.refusal;
    auto text = fmt::format("{} was refused by owner {} at {}: machine {} {}.", count_of(number),
                            a.owner, at_text(a.answered), a.machine, cause_text(r));
    if (r.cause == conflict_cause::taken || r.cause == conflict_cause::changed)
      text += winner_text(a, r);
    if (r.view_age != unknown_time)
      text += fmt::format(" Scheduler {} saw it as of {} before its decision.", a.scheduler,
                          span_text(r.view_age));
    if (a.retry_at != no_instant && a.retry_at > a.answered)
      text += fmt::format(" The next attempt was not to begin before {}.", at_text(a.retry_at));
    return text;
  }

  static std::string cause_text(const attempt_record& r) {
    switch (r.cause) {
    case conflict_cause::taken:
      return fmt::format("taken: {} free, {} asked", demand_text(r.free), demand_text(r.asked));
    case conflict_cause::changed:
      return "changed since it was seen";
    case conflict_cause::gone:
      return "gone";
    case conflict_cause::moved:
      return "moved: that owner does not have it any more";
    case conflict_cause::aborted:
      return "aborted: another placement of the same transaction was refused";
    default:
      return "refused";
    }
  }

  std::string winner_text(const story_attempt& a, const attempt_record& r) const {
    if (r.winner == no_scheduler)
      return "";
    const auto who =
      r.winner == a.scheduler ? std::string{"It itself"} : fmt::format("Scheduler {}", r.winner);
    if (a.winner_granted == no_instant)
      return fmt::format(" {} had the last grant there.", who);
    return fmt::format(" {} had been granted it {} before, for task {}.", who,
                       span_text(a.answered - a.winner_granted), names_.task(a.winner_task));
  }

  std::string pick_text(const story_attempt& a, std::size_t number) const {
    const auto& p = *a.pick;
    const auto policy = names_.policy ? names_.policy(a.scheduler, a.began) : std::string{};
    auto text = fmt::format("{}: at {} ", count_of(number), at_text(a.began));
    if (p.preempts) {
      text += fmt::format("no machine had room in the view of scheduler {}; machine {} was picked, "
                          "where tasks of lower priority could give way",
                          a.scheduler, a.machine);
      return text + '.';
    }
    text += fmt::format("scheduler {} picked machine {}{}", a.scheduler, a.machine,
                        policy.empty() ? "" : " by " + policy_text(policy, p));
    if (a.age != unknown_time)
      text +=
        fmt::format(", on a view of partition {} that was {} old", p.partition, span_text(a.age));
    text += fmt::format(". In its view {} of {} machines had room", count_text(p.seen.fits()),
                        count_text(p.seen.machines));
    if (p.truth.machines > 0 && p.truth.fits() != p.seen.fits())
      text += fmt::format(", in truth {}", count_text(p.truth.fits()));
    text +=
      fmt::format("; the score of machine {}, {}, was {}", a.machine, number_text(p.score),
                  p.better == 0 ? "the best of these"
                                : fmt::format("below that of {} of these", count_text(p.better)));
    std::string next;
    for (const auto& b : p.seen.best)
      if (b.machine != a.machine)
        next += fmt::format("{}{} ({})", next.empty() ? "" : ", ", b.machine, number_text(b.score));
    if (!next.empty())
      text += fmt::format("; the best others were {}", next);
    return text + '.';
  }

  /// Says what the built-in policies go by.
  static std::string policy_text(const std::string& policy, const watched_pick& p) {
    const auto inner = p.policy == "latency"   ? std::string{"latency-first"}
                       : p.policy == "quality" ? std::string{"quality-first"}
                                               : policy;
    auto text = inner == policy ? policy : fmt::format("{}, as {}", policy, inner);
    if (inner == "quality-first")
      text += p.richer == 0
                ? " (drawn by score in the partition with the best mean score)"
                : fmt::format(" (drawn by score; {} partitions had a better mean score)", p.richer);
    if (inner == "latency-first")
      text += p.fresher == 0
                ? " (drawn by score among the freshest partitions)"
                : fmt::format(" (drawn by score; {} fresher partitions had no room)", p.fresher);
    return text;
  }

  void tell_gang() {
    const auto& g = story_.gang;
    if (g.passed_over > 0)
      say(g.since,
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
    say(g.holds.back().at, fmt::format("The gang of {} was held until all owners had answered: {}.",
                                       of_.task_count(), who));
  }

  void tell(const story_run& r, std::size_t number) {
    const auto where = r.machine == no_machine ? std::string{"a machine that is not known"}
                                               : place(r.machine, r.owner);
    if (r.placed == no_instant && r.end == run_end::runs)
      return;
    switch (r.end) {
    case run_end::lost:
      say(r.ended, fmt::format("Run {} on {} was lost with the machine at {}.", number, where,
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
      say(r.ended, text + ". That work was lost.");
      break;
    }
    case run_end::unknown:
      say(r.ended, fmt::format("At {} it turned out that the task did not run on {}, as its "
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
  std::vector<std::pair<instant, std::string>> lines_;
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
