#include "runtime/faults/width_audit.hpp"

#include <algorithm>
#include <string>

namespace troupe {

namespace {

std::string text_of(job_id id, const moldability& by) {
  return "job " + std::to_string(id) + ", which may have " + std::to_string(by.least) + " to " +
         std::to_string(by.most) + " tasks,";
}

} // namespace

void width_audit::delivered(const job_delivery& what) {
  for (const auto& [j, over, fate] : what.jobs)
    if (j.mold.requested > 0 && !jobs_.contains(j.id)) {
      const auto widths = j.mold.widths();
      jobs_[j.id] = {
        j.mold, j.group < kills_.size() && kills_[j.group], {widths.begin(), widths.end()}, {}};
    }
}

bool width_audit::takes(const watched_job& of, std::uint32_t width, duration runtime) {
  const auto whole = of.by.at_width(of.by.runtime, width);
  return runtime == whole ||
         (of.kills && runtime == std::min(whole, of.by.at_width(of.by.estimate, width)));
}

void width_audit::started(const launch_order& order, instant now) {
  const auto at = jobs_.find(order.task.job);
  if (at == jobs_.end())
    return;
  auto& of = at->second;
  const auto widths = of.by.widths();
  const auto fits = [&](std::uint32_t width) {
    return order.task.index < width && takes(of, width, order.runtime);
  };
  if (std::ranges::none_of(widths, fits))
    return to_.fail(text_of(at->first, of.by) + " runs task " + std::to_string(order.task.index) +
                    " for " + std::to_string(to_seconds(order.runtime)) +
                    " s, which it takes at none of its widths");
  std::erase_if(of.widths, [&](std::uint32_t width) { return !fits(width); });
  of.starts.try_emplace(order.task.index, now);
}

void width_audit::check_end() {
  for (const auto& [id, of] : jobs_) {
    if (of.starts.empty())
      continue;
    auto first = of.starts.begin()->second;
    auto last = first;
    for (const auto& [_, start] : of.starts) {
      first = std::min(first, start);
      last = std::max(last, start);
    }
    if (last + at_once_ >= first_failure_)
      continue;
    const auto tasks = static_cast<std::uint32_t>(of.starts.size());
    if (!of.widths.contains(tasks) || of.starts.rbegin()->first + 1 != tasks)
      return to_.fail(text_of(id, of.by) + " has started " + std::to_string(tasks) +
                      ", which is not the width that it runs for");
    if (last - first > at_once_)
      return to_.fail(text_of(id, of.by) + " has started them within " +
                      std::to_string(to_seconds(last - first)) + " s, not at once");
  }
}

} // namespace troupe
