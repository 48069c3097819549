#include "actors/plugin/owners/plugin_commit_intake.hpp"

#include "actors/plugin/settling_commit.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// Takes a placement out of a commit.
void leave_out(commit_request& wanted, std::uint32_t index) {
  wanted.placements.erase(wanted.placements.begin() + index);
  std::erase_if(wanted.alternatives, [&](const alternative& a) { return a.index == index; });
  for (auto& a : wanted.alternatives)
    a.index -= a.index > index;
}

} // namespace

/// Returns whether a commit settles what an earlier one holds, which is then held no more.
bool plugin_commit_intake::settle(owner_id owner, commit_request& wanted) {
  if (!settles(wanted.mode))
    return false;
  const auto held = tables_.commits.settle(owner, wanted.settles);
  wanted.settles = held.value_or(wanted.settles);
  return held.has_value();
}

/// Names the tasks of a commit by the numbers of the cluster. Returns false if one of them is not
/// where the commit needs it.
bool plugin_commit_intake::name_tasks(commit_request& wanted, bool settling) const {
  const auto& jobs = tables_.books.jobs;
  return std::ranges::all_of(wanted.placements, [&](placement& p) {
    const auto task = jobs.named(p.task);
    if (!task || jobs.at(*task).at !=
                   (settling ? plugin_jobs::place::in_commit : plugin_jobs::place::queued))
      return false;
    p.task = *task;
    return true;
  });
}

void plugin_commit_intake::begin(owner_id owner, const placement& p, instant now) {
  tables_.books.jobs.at(p.task).at = plugin_jobs::place::in_commit;
  auto& counts = tables_.book_of(p.task).counts;
  --counts.queued;
  ++counts.in_commit;
  if (tables_.records)
    tables_.records->commit(owner, p, now);
}

void plugin_commit_intake::commit(owner_id owner, commit_request wanted, instant now) {
  if (!tables_.commits.begin(owner, wanted.id))
    return;
  const bool settling = settle(owner, wanted);
  if (!name_tasks(wanted, settling)) {
    answers_.refuse_all(owner, wanted);
    return;
  }
  auto apart = settling ? std::vector<rejection>{} : spread_.keep_apart(wanted);
  for (auto no = apart.rbegin(); no != apart.rend(); ++no)
    leave_out(wanted, no->index);
  for (auto& p : wanted.placements) {
    if (tables_.setup.machines.windows() != nullptr)
      p.estimate = tables_.books.jobs.find(p.task.job)->estimate;
    if (!settling)
      begin(owner, p, now);
  }
  const auto of_plugin = std::exchange(wanted.id, tables_.commits.number_of(owner, wanted.id));
  const auto& sent =
    tables_.commits.add(owner, {std::move(wanted), of_plugin, now, std::move(apart)});
  if (!sent.what.placements.empty())
    sender_.send(owner, sent);
  else if (!tables_.setup.rules.own_tasks)
    // A view that learns from the plugin's own tasks would choose the same machines again at once:
    // that plugin is answered later.
    answers_.answer({owner, sent.what.id, {}}, now);
}

} // namespace troupe
