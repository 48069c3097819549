#include "report/explain/why_not.hpp"

#include "report/explain/story_json.hpp"
#include "report/text/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace troupe {

namespace {

using task_place = task_situation::place;

class why_not_writer {
public:
  why_not_writer(const why_not_facts& facts, const catalog& machines, const explain_names& names,
                 const std::string& directory)
    : facts_(facts), machines_(machines), names_(names), directory_(directory) {}

  why_not_answer write() {
    decide();
    answer_.sentences.push_back(verdict_text());
    if (facts_.machine)
      tell_machine();
    else if (surveyed())
      tell_all();
    if (answer_.says == placing_verdict::never || answer_.says == placing_verdict::not_now)
      tell_change();
    if (!directory_.empty())
      answer_.sentences.push_back(
        fmt::format("Next: troupe explain {} --in {}", names_.task(facts_.task), directory_));
    return answer_;
  }

private:
  const task_situation& in() const { return facts_.in; }
  std::string name() const { return names_.task(facts_.task); }
  bool surveyed() const { return facts_.pick || in().seen || facts_.truth.machines > 0; }

  /// The machines by the view, or by the truth where there is no view.
  const machine_survey& seen() const {
    return facts_.pick ? facts_.pick->seen : in().seen ? *in().seen : facts_.truth;
  }
  const machine_survey& truth() const { return facts_.pick ? facts_.pick->truth : facts_.truth; }
  bool has_view() const { return facts_.pick || in().seen.has_value(); }
  const machine_wish& wish() const { return in().wish; }

  void decide() {
    answer_.why = in().why;
    if (facts_.pick) {
      answer_.says = placing_verdict::placed;
      return;
    }
    if (facts_.fate) {
      answer_.says = placing_verdict::over;
      return;
    }
    switch (in().where) {
    case task_place::unknown:
      answer_.why = wait_reason::without_scheduler;
      answer_.says = placing_verdict::in_doubt;
      return;
    case task_place::running:
      answer_.says = placing_verdict::placed;
      return;
    case task_place::over:
      answer_.says = placing_verdict::over;
      return;
    case task_place::in_commit:
      answer_.says =
        in().sent_again || !facts_.owner_lives ? placing_verdict::in_doubt : placing_verdict::soon;
      if (!facts_.owner_lives)
        answer_.why = wait_reason::owner_silent;
      return;
    case task_place::waits:
      break;
    }
    const auto& all = seen();
    const auto never = all.count(machine_check::too_small) + all.count(machine_check::no_match) +
                       all.count(machine_check::other_share);
    if (never == all.machines) {
      answer_.says = placing_verdict::never;
      if (all.count(machine_check::too_small) == all.machines)
        answer_.why = wait_reason::never_fits;
      else if (all.count(machine_check::other_share) == 0)
        answer_.why = wait_reason::no_match;
      return;
    }
    if (answer_.why == wait_reason::with_plugin) {
      answer_.says = all.fits() > 0 ? placing_verdict::in_doubt : placing_verdict::not_now;
      return;
    }
    const bool turn_comes =
      answer_.why == wait_reason::behind_others || answer_.why == wait_reason::no_room ||
      answer_.why == wait_reason::backing_off || answer_.why == wait_reason::waits_for_refresh ||
      answer_.why == wait_reason::probing;
    answer_.says = turn_comes && all.fits() > 0 ? placing_verdict::soon : placing_verdict::not_now;
    if (answer_.why == wait_reason::no_room && all.fits() > 0)
      answer_.why = wait_reason::behind_others; // it is the next one
  }

  std::string verdict_text() const {
    switch (answer_.says) {
    case placing_verdict::never:
      return fmt::format("Never: task {} asks for {}{}.", name(), demand_text(wish().demand),
                         never_text());
    case placing_verdict::in_doubt:
      if (in().where == task_place::unknown)
        return fmt::format("In doubt: no scheduler had task {} at {}: its job was submitted later, "
                           "was over, or its scheduler was being replaced.",
                           name(), at_text(facts_.at));
      if (in().where == task_place::waits)
        return fmt::format(
          "In doubt: at {} task {} waited with scheduler {}, whose plugin does not "
          "tell why, though machines had room.",
          at_text(facts_.at), name(), in().scheduler);
      return fmt::format("In doubt: task {} was committed to owner {} at {}{}. It is placed at "
                         "most once whatever comes.",
                         name(), in().owner, at_text(in().since),
                         facts_.owner_lives
                           ? ", and again later, and there was no answer"
                           : ", and that owner did not live at " + at_text(facts_.at));
    case placing_verdict::placed:
      return placed_text();
    case placing_verdict::over:
      return fmt::format("Over: at {} task {} was {}.", at_text(facts_.at), name(),
                         facts_.fate ? name_of(record_state_of(*facts_.fate)) : "over");
    case placing_verdict::soon:
      return fmt::format("Soon: at {} task {} waited {}.", at_text(facts_.at), name(), soon_text());
    case placing_verdict::not_now:
      break;
    }
    return fmt::format("Not now: at {} task {} waited {}.", at_text(facts_.at), name(),
                       not_now_text());
  }

  std::string placed_text() const {
    if (!facts_.pick)
      return fmt::format("Placed: at {} task {} ran{}.", at_text(facts_.at), name(),
                         in().machine == no_machine ? std::string{}
                                                    : fmt::format(" on machine {}", in().machine));
    auto text = fmt::format("Placed: at {} scheduler {} picked machine {} for task {}",
                            at_text(facts_.at), in().scheduler, facts_.picked, name());
    if (facts_.machine && *facts_.machine == facts_.picked)
      text += ", the one that you ask about";
    return text + '.';
  }

  std::string never_text() const {
    const auto& most = machines_.greatest_capacity();
    std::string text;
    for (std::size_t k = 0; k < resource_kinds; ++k)
      if (wish().demand.amount[k] > most.amount[k])
        text += fmt::format("; the largest of {} machines has {}", count_text(machines_.machines()),
                            amount_text(static_cast<resource>(k), most.amount[k]));
    return text.empty() ? std::string{"; no machine that its scheduler may use can hold it"} : text;
  }

  std::string soon_text() const {
    const auto& q = in().queue;
    if (in().where == task_place::in_commit)
      return facts_.probes ? fmt::format("in the queue of machine {}", in().machine)
             : in().owner == no_scheduler
               ? fmt::format("while scheduler {} was deciding on it", in().scheduler)
               : fmt::format("for the answer of owner {}, to which it was committed at {}",
                             in().owner, at_text(in().since));
    if (answer_.why != wait_reason::behind_others) {
      auto text = reason_text(answer_.why);
      if (in().until != no_instant && in().until > facts_.at)
        text += fmt::format(", until {}", at_text(in().until));
      return text;
    }
    auto text = q.ahead == 0
                  ? fmt::format("at the head of the queue of scheduler {}", in().scheduler)
                  : fmt::format("in the queue of scheduler {} behind {} task{}", in().scheduler,
                                count_text(q.ahead), q.ahead == 1 ? "" : "s");
    if (q.higher > 0)
      text += fmt::format(", {} of them with higher priority", count_text(q.higher));
    if (facts_.placed_per_s && *facts_.placed_per_s > 0)
      text += fmt::format("; the scheduler had placed {} tasks/s, so that takes about {}",
                          number_text(*facts_.placed_per_s),
                          seconds_text(static_cast<double>(q.ahead + 1) / *facts_.placed_per_s));
    return text;
  }

  std::string not_now_text() const {
    auto text = reason_text(answer_.why);
    if (answer_.why == wait_reason::tenant_at_maximum)
      text += fmt::format(", tenant {} used {} of the cluster by the books of scheduler {}",
                          names_.tenant(in().tenant), percent_text(in().share), in().scheduler);
    if (answer_.why == wait_reason::behind_others)
      text += fmt::format(", {} tasks ahead in the queue of scheduler {}",
                          count_text(in().queue.ahead), in().scheduler);
    if (answer_.why == wait_reason::gang_incomplete)
      text += fmt::format(" ({} tasks together)", count_text(in().tasks));
    return text;
  }

  static std::string counts_text(const machine_survey& all, const machine_wish& wish) {
    std::string text = fmt::format("of {} machines ", count_text(all.machines));
    for (std::size_t i = 0; i < all.lines.size(); ++i) {
      const auto& line = all.lines[i];
      text += (i == 0 ? "" : i + 1 == all.lines.size() ? " and " : ", ") + line_text(line, wish);
      std::string examples;
      for (const auto m : line.examples)
        examples += (examples.empty() ? "" : ", ") + std::to_string(m);
      text += fmt::format(" ({}{})", examples, line.machines > line.examples.size() ? ", ..." : "");
    }
    return text;
  }

  std::string viewer() const {
    auto text = fmt::format("By the {} scheduler {}", seen_by(), in().scheduler);
    const auto oldest = facts_.pick ? facts_.pick->oldest : in().oldest;
    if (oldest == unknown_time)
      return text;
    if (!facts_.pick)
      return text + fmt::format(", {} to {} old", span_text(in().freshest), span_text(oldest));
    return text + fmt::format(", at most {} old", span_text(oldest));
  }

  /// Where resources are offered, the view has what is offered and nothing else.
  std::string seen_by() const {
    return names_.settings->sync.plan == sync_plan_kind::offers ? "offers open to" : "view of";
  }

  std::string knower() const { return facts_.probes ? "In truth" : "By the owners"; }

  static bool same_counts(const machine_survey& a, const machine_survey& b) {
    return std::ranges::equal(a.lines, b.lines, [](const auto& x, const auto& y) {
      return x.check == y.check && x.machines == y.machines && x.lacks == y.lacks;
    });
  }

  void tell_all() {
    if (has_view())
      answer_.sentences.push_back(viewer() + ", " + counts_text(seen(), wish()) + '.');
    if (!has_view() || (truth().machines > 0 && !same_counts(seen(), truth())))
      answer_.sentences.push_back(knower() + ", " + counts_text(truth(), wish()) + '.');
    else if (truth().machines > 0)
      answer_.sentences.push_back("The owners count the same.");
    const auto& near = truth().machines > 0 ? truth().nearest : seen().nearest;
    if (near && truth().fits() == 0)
      answer_.sentences.push_back(fmt::format("Nearest: machine {}, {} too little.", near->machine,
                                              amount_text(near->lacks, near->missing)));
  }

  void tell_machine() {
    const auto m = *facts_.machine;
    const auto& by_view = facts_.pick ? facts_.pick->asked_seen : in().asked_seen;
    const auto& by_truth = facts_.pick ? facts_.pick->asked_truth : facts_.asked_truth;
    const auto where = fmt::format("machine {} (partition {})", m, machines_.place_of(m).partition);
    if (by_view) {
      auto text = fmt::format("By the {} scheduler {}, {}: {}", seen_by(), in().scheduler, where,
                              finding_text(*by_view, wish()));
      if (in().asked_age && !facts_.pick)
        text += fmt::format("; seen {} ago", span_text(*in().asked_age));
      answer_.sentences.push_back(text + '.');
    }
    if (by_truth) {
      auto text = fmt::format("{}, {}: {}", facts_.probes ? "In truth" : "By its owner", where,
                              finding_text(*by_truth, wish()));
      if (facts_.probes)
        text +=
          fmt::format("; {} waited in its queue",
                      facts_.asked_waiting == 1 ? std::string{"1 entry"}
                                                : fmt::format("{} entries", facts_.asked_waiting));
      answer_.sentences.push_back(text + '.');
    }
    if (by_view && by_truth && by_view->check != by_truth->check)
      answer_.sentences.push_back(difference_text(*by_view));
    if (facts_.probes && !facts_.from_plugin)
      tell_probed(m);
    if (by_view && by_view->check == machine_check::fits && facts_.pick && m != facts_.picked)
      answer_.sentences.push_back(chosen_text(m, *by_view));
  }

  std::string difference_text(const machine_finding& by_view) const {
    if (names_.settings->sync.plan == sync_plan_kind::offers)
      return "What it has free was not offered to the scheduler.";
    if (by_view.check == machine_check::kept_away)
      return "The scheduler keeps away from it.";
    return by_view.check == machine_check::fits
             ? "The view was stale: a commit there would have been refused."
             : "The view was stale: the scheduler did not know that it has room.";
  }

  void tell_probed(machine_id m) {
    const bool has = std::ranges::find(in().machines, m) != in().machines.end();
    answer_.sentences.push_back(
      has ? fmt::format("Scheduler {} has a reservation there for the job.", in().scheduler)
          : fmt::format("Scheduler {} has no reservation there: machines are drawn at random, and "
                        "this one was not drawn, or its reservation was used or cancelled.",
                        in().scheduler));
  }

  std::string chosen_text(machine_id m, const machine_finding& found) const {
    const auto score = facts_.pick->score;
    const auto policy = names_.policy ? names_.policy(in().scheduler, facts_.at) : std::string{};
    return fmt::format("The score decided, or chance: machine {} has score {}, the picked machine "
                       "{} has {}; {} of the machines with room had a higher score than the "
                       "picked one{}.",
                       m, number_text(found.score), facts_.picked, number_text(score),
                       count_text(facts_.pick->better),
                       policy.empty() ? "" : fmt::format(" (policy {})", policy));
  }

  void tell_change() {
    std::string text;
    switch (answer_.why) {
    case wait_reason::never_fits:
      text = "What would change it: a larger machine, or a smaller request.";
      break;
    case wait_reason::no_match:
      text = "What would change it: machines with these attributes, or other constraints.";
      break;
    case wait_reason::tenant_at_maximum:
      text = "What would change it: the end of one of the tenant's tasks, or a higher maximum.";
      break;
    case wait_reason::waits_for_group:
      text = "What would change it: the end of the tasks that it waits for.";
      break;
    case wait_reason::no_offer:
      text = "What would change it: an offer by the allocator.";
      break;
    default:
      if (truth().machines > 0 && has_view() && truth().fits() > 0 && seen().fits() == 0)
        text = "What would change it: a refresh of the view, as machines have room by the owners.";
      else
        text = "What would change it: the end of a task on one of the machines without room.";
    }
    answer_.sentences.push_back(text);
  }

  const why_not_facts& facts_;
  const catalog& machines_;
  const explain_names& names_;
  const std::string& directory_;
  why_not_answer answer_;
};

} // namespace

std::string_view name_of(placing_verdict says) {
  constexpr std::string_view names[] = {"never", "not_now", "soon", "in_doubt", "placed", "over"};
  const auto i = static_cast<std::size_t>(says);
  return i < std::size(names) ? names[i] : "?";
}

why_not_answer answer_why_not(const why_not_facts& facts, const catalog& machines,
                              const explain_names& names, const std::string& directory) {
  return why_not_writer{facts, machines, names, directory}.write();
}

nlohmann::ordered_json why_not_json(const why_not_facts& facts, const why_not_answer& answer,
                                    const explain_names& names) {
  using value = nlohmann::ordered_json;
  const auto& in = facts.in;
  value j = {{"job", facts.task.job},
             {"task", facts.task.index},
             {"group", names.group(facts.task.job)},
             {"at_s", json_seconds(facts.at)},
             {"verdict", name_of(answer.says)},
             {"reason", name_of(answer.why)},
             {"scheduler", in.scheduler == no_scheduler ? value(nullptr) : value(in.scheduler)},
             {"ahead", in.queue.ahead},
             {"ahead_of_higher_priority", in.queue.higher},
             {"machine", facts.machine ? value(*facts.machine) : value(nullptr)},
             {"picked", facts.picked == no_machine ? value(nullptr) : value(facts.picked)}};
  const auto& by_view = facts.pick ? facts.pick->asked_seen : in.asked_seen;
  const auto& by_truth = facts.pick ? facts.pick->asked_truth : facts.asked_truth;
  j["machine_by_view"] = finding_json(by_view, in.wish);
  j["machine_by_owner"] = finding_json(by_truth, in.wish);
  const auto survey_or_null = [&](const machine_survey* all) {
    return all == nullptr || all->machines == 0 ? value(nullptr) : survey_json(*all, in.wish);
  };
  j["by_view"] = survey_or_null(facts.pick ? &facts.pick->seen : in.seen ? &*in.seen : nullptr);
  j["by_owners"] = survey_or_null(facts.pick ? &facts.pick->truth : &facts.truth);
  j["sentences"] = answer.sentences;
  return j;
}

} // namespace troupe
