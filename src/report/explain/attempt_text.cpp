#include "report/explain/attempt_text.hpp"

#include "report/text/text.hpp"

#include <fmt/format.h>

namespace troupe {

namespace {

std::string cause_text(const attempt_record& r) {
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

/// Says what the built-in policies go by.
std::string policy_text(const std::string& policy, const watched_pick& p) {
  const auto inner = p.goal == pick_goal::latency   ? std::string{"latency-first"}
                     : p.goal == pick_goal::quality ? std::string{"quality-first"}
                                                    : policy;
  auto text = inner == policy ? policy : fmt::format("{}, as {}", policy, inner);
  if (inner == "quality-first")
    text += p.richer == 0
              ? " (drawn by score in the partition with the best mean score)"
              : fmt::format(" (drawn by score; {} partitions had a better mean score)", p.richer);
  if (p.looked_at && *p.looked_at < p.seen.machines)
    text += fmt::format(" (looked at {} of {} machines, from a random one on)",
                        count_text(*p.looked_at), count_text(p.seen.machines));
  else if (p.looked_at)
    text += " (looked at all machines)";
  if (inner == "latency-first")
    text += p.fresher == 0
              ? " (drawn by score among the freshest partitions)"
              : fmt::format(" (drawn by score; {} fresher partitions had no room)", p.fresher);
  return text;
}

} // namespace

std::string attempt_text::count() const {
  return fmt::format("Attempt {} of {}", number_, of_);
}

std::string attempt_text::open() const {
  return fmt::format("{} was committed at {}; there is no answer yet.", count(),
                     at_text(a_.decided));
}

std::string attempt_text::committed() const {
  auto text =
    fmt::format("{}: at {} scheduler {}, whose plugin had picked machine {}, committed it "
                "to owner {}",
                count(), at_text(a_.decided), a_.scheduler, a_.machine, a_.owner);
  if (a_.age != unknown_time)
    text += fmt::format("; the newest snapshot of the machine that it had been sent was {} old",
                        span_text(a_.age));
  return text + '.';
}

std::string attempt_text::sent() const {
  auto text = fmt::format("{}: ", count());
  text += a_.late ? fmt::format("machine {} asked for a task at {}, and got this one", a_.machine,
                                at_text(a_.decided))
                  : fmt::format("it was sent to machine {} at {}", a_.machine, at_text(a_.decided));
  if (a_.late && a_.reserved_on != a_.machine)
    text += fmt::format(" (it had taken the place over from machine {})", a_.reserved_on);
  if (a_.outcome == attempt_outcome::started)
    text += fmt::format("; it started there at {}", at_text(a_.answered));
  else if (a_.outcome == attempt_outcome::taken_back)
    text += "; it did not start there, and was queued again";
  return text + '.';
}

std::string attempt_text::granted() const {
  auto text =
    fmt::format("{} was granted by owner {} at {}", count(), a_.owner, at_text(a_.answered));
  if (a_.got != a_.machine && a_.machine != no_machine)
    text += fmt::format(": not machine {}, which had no room any more, but machine {}", a_.machine,
                        a_.got);
  return text + '.';
}

std::string attempt_text::refused() const {
  const auto& r = *a_.refusal;
  auto text = fmt::format("{} was refused by owner {} at {}: machine {} {}.", count(), a_.owner,
                          at_text(a_.answered), a_.machine, cause_text(r));
  if (r.cause == conflict_cause::taken || r.cause == conflict_cause::changed)
    text += winner();
  if (r.view_age != unknown_time && !a_.by_plugin)
    text += fmt::format(" Scheduler {} saw it as of {} before its decision.", a_.scheduler,
                        span_text(r.view_age));
  if (a_.retry_at != no_instant && a_.retry_at > a_.answered)
    text += fmt::format(" The next attempt was not to begin before {}.", at_text(a_.retry_at));
  return text;
}

std::string attempt_text::winner() const {
  const auto& r = *a_.refusal;
  if (r.winner == no_scheduler)
    return "";
  const auto who =
    r.winner == a_.scheduler ? std::string{"It itself"} : fmt::format("Scheduler {}", r.winner);
  if (a_.winner_granted == no_instant)
    return fmt::format(" {} had the last grant there.", who);
  return fmt::format(" {} had been granted it {} before, for task {}.", who,
                     span_text(a_.answered - a_.winner_granted), names_.task(a_.winner_task));
}

std::string attempt_text::picked() const {
  const auto& p = *a_.pick;
  const auto policy = names_.policy ? names_.policy(a_.scheduler, a_.began) : std::string{};
  auto text = fmt::format("{}: at {} ", count(), at_text(a_.began));
  if (p.preempts) {
    text += fmt::format("no machine had room in the view of scheduler {}; machine {} was picked, "
                        "where tasks of lower priority could give way",
                        a_.scheduler, a_.machine);
    return text + '.';
  }
  text += fmt::format("scheduler {} picked machine {}{}", a_.scheduler, a_.machine,
                      policy.empty() ? "" : " by " + policy_text(policy, p));
  if (a_.age != unknown_time)
    text +=
      fmt::format(", on a view of partition {} that was {} old", p.partition, span_text(a_.age));
  text += fmt::format(". In its view {} of {} machines had room", count_text(p.seen.fits()),
                      count_text(p.seen.machines));
  if (p.truth.machines > 0 && p.truth.fits() != p.seen.fits())
    text += fmt::format(", in truth {}", count_text(p.truth.fits()));
  text +=
    fmt::format("; the score of machine {}, {}, was {}", a_.machine, number_text(p.score),
                p.better == 0 ? "the best of these"
                              : fmt::format("below that of {} of these", count_text(p.better)));
  std::string next;
  for (const auto& b : p.seen.best)
    if (b.machine != a_.machine)
      next += fmt::format("{}{} ({})", next.empty() ? "" : ", ", b.machine, number_text(b.score));
  if (!next.empty())
    text += fmt::format("; the best others were {}", next);
  return text + '.';
}

} // namespace troupe
