#include "report/explain/explain_names.hpp"

#include "report/text/text.hpp"

#include <fmt/format.h>

namespace troupe {

namespace {

constexpr job_id numbers_of_group = (job_id{1} << 40) - 1;

std::string demanded(const machine_wish& wish, resource kind) {
  return amount_text(kind, wish.demand[kind]);
}

} // namespace

std::string explain_names::group(job_id id) const {
  const auto g = id >> 40;
  return g < settings->groups.size() ? settings->groups[g].name : fmt::format("group {}", g);
}

std::string explain_names::job(job_id id) const {
  if (settings->groups.size() < 2)
    return std::to_string(id);
  return fmt::format("{}/{}", group(id), id & numbers_of_group);
}

std::string explain_names::task(const task_id& id) const {
  return fmt::format("{}.{}", job(id.job), id.index);
}

std::string explain_names::tenant(std::uint32_t index) const {
  return index < settings->tenants.size() ? settings->tenants[index].name : "";
}

std::string at_text(instant at) {
  return fmt::format("{:.3f} s", to_seconds(at));
}

std::string span_text(duration d) {
  return seconds_text(to_seconds(d));
}

std::string amount_text(resource kind, std::int64_t amount) {
  const auto whole = [&](double n, const char* one, const char* many) {
    return fmt::format("{} {}",
                       number_text(n).find('e') == std::string::npos &&
                           n == static_cast<std::int64_t>(n)
                         ? count_text(static_cast<std::uint64_t>(n))
                         : number_text(n),
                       n == 1 ? one : many);
  };
  const auto n = static_cast<double>(amount);
  switch (kind) {
  case resource::cpu:
    return whole(n / 1000, "core", "cores");
  case resource::memory:
    return n < 1024 ? whole(n, "MiB", "MiB") : whole(n / 1024, "GiB", "GiB");
  case resource::gpu:
    return whole(n / 1000, "GPU", "GPUs");
  case resource::slots:
    break;
  }
  return whole(n, "slot", "slots");
}

std::string demand_text(const resources& demand) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (demand.amount[k] > 0)
      parts.push_back(amount_text(static_cast<resource>(k), demand.amount[k]));
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text.empty() ? "nothing" : text;
}

std::string line_text(const machine_survey::line& line, const machine_wish& wish) {
  const bool one = line.machines == 1;
  const auto n = count_text(line.machines);
  switch (line.check) {
  case machine_check::too_small:
    return fmt::format("{} {} smaller than {}", n, one ? "is" : "are", demanded(wish, line.lacks));
  case machine_check::no_match:
    return fmt::format("{} {} not meet {}", n, one ? "does" : "do",
                       to_string(wish.constraints[line.unmet]));
  case machine_check::other_share:
    return fmt::format("{} {} in partitions of other schedulers", n, one ? "is" : "are");
  case machine_check::absent:
    return fmt::format("{} {} not in the cluster", n, one ? "is" : "are");
  case machine_check::closed:
    return fmt::format("{} {} a window that begins before its expected end", n,
                       one ? "has" : "have");
  case machine_check::job_there:
    return fmt::format("{} {} another task of its job, which spreads", n, one ? "has" : "have");
  case machine_check::no_room:
    return fmt::format("{} {} less than {} free", n, one ? "has" : "have",
                       demanded(wish, line.lacks));
  case machine_check::kept_away:
    return fmt::format("{} refused lately and {} kept away from", n, one ? "is" : "are");
  case machine_check::fits:
    break;
  }
  return fmt::format("{} {} room", n, one ? "has" : "have");
}

std::string finding_text(const machine_finding& found, const machine_wish& wish) {
  switch (found.check) {
  case machine_check::too_small:
    return fmt::format("even idle it has {} less than the {} that the task asks for",
                       amount_text(found.lacks, found.missing), demanded(wish, found.lacks));
  case machine_check::no_match:
    return fmt::format("it does not meet {}", to_string(wish.constraints[found.unmet]));
  case machine_check::other_share:
    return "it is in a partition of other schedulers";
  case machine_check::absent:
    return "it is not in the cluster";
  case machine_check::closed:
    return "it has a window that begins before the task is expected to end";
  case machine_check::job_there:
    return "another task of the job is there, and the job spreads";
  case machine_check::no_room:
    return fmt::format("it has {} free, {} too little",
                       amount_text(found.lacks, std::max(found.free[found.lacks], 0)),
                       amount_text(found.lacks, found.missing));
  case machine_check::kept_away:
    return "it has room, but refused a task lately and is kept away from";
  case machine_check::fits:
    break;
  }
  return fmt::format("it has room, {} free", demand_text(found.free));
}

std::string reason_text(wait_reason why) {
  switch (why) {
  case wait_reason::waits_for_group:
    return "for tasks of its job that had to end first";
  case wait_reason::behind_others:
    return "for its turn";
  case wait_reason::tenant_at_maximum:
    return "because its tenant was at its maximum";
  case wait_reason::never_fits:
    return "because no machine is large enough";
  case wait_reason::no_match:
    return "because no machine that is large enough meets its constraints";
  case wait_reason::no_room:
    return "because the scheduler found no machine with room";
  case wait_reason::no_offer:
    return "because its scheduler was offered nothing";
  case wait_reason::gang_incomplete:
    return "because there was not room for all tasks of its gang";
  case wait_reason::held_up:
    return "because what it would take was reserved for an earlier job";
  case wait_reason::closed:
    return "because the machines with room had windows that began before its expected end";
  case wait_reason::kept_away:
    return "because the machines with room had refused tasks and were kept away from";
  case wait_reason::backing_off:
    return "to back off after the refusal";
  case wait_reason::waits_for_refresh:
    return "for a newer view after the refusal";
  case wait_reason::in_commit:
    return "for the owner's answer";
  case wait_reason::owner_silent:
    return "for an owner that did not answer";
  case wait_reason::probing:
    return "for the machines that were probed or reserved";
  case wait_reason::reserved:
    return "in the queue of the machine";
  case wait_reason::without_scheduler:
    return "because no scheduler had its job";
  case wait_reason::with_plugin:
    return "with its scheduler, whose plugin does not tell why";
  case wait_reason::none:
    break;
  }
  return "for reasons that are not known";
}

std::string machines_text(const std::vector<machine_id>& machines, std::size_t most) {
  if (machines.empty())
    return "no machine";
  std::string text = machines.size() == 1 ? "machine " : "machines ";
  const auto shown = std::min(most, machines.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == machines.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + std::to_string(machines[i]);
  }
  if (shown < machines.size())
    text += fmt::format(" and {} other{}", machines.size() - shown,
                        machines.size() - shown == 1 ? "" : "s");
  return text;
}

} // namespace troupe
