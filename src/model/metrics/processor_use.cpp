#include "model/metrics/processor_use.hpp"

#include "model/records/records.hpp"

#include <algorithm>
#include <map>

namespace troupe {

namespace {

enum class step : std::uint8_t { ended, submitted, placed };

struct span_event {
  instant at{0};
  step what = step::ended;
  std::int64_t amount = 0;
  bool waited = false; ///< ended: without having been placed
};

/// The events until `last`, by time.
std::vector<span_event> events_of(const std::vector<job_span>& jobs, instant last) {
  std::vector<span_event> all;
  all.reserve(3 * jobs.size());
  for (const auto& j : jobs) {
    const bool placed = j.placed != no_instant;
    all.push_back({j.submitted, step::submitted, j.amount});
    if (placed)
      all.push_back({std::max(j.placed, j.submitted), step::placed, j.amount});
    if (j.ended != no_instant)
      all.push_back(
        {std::max(j.ended, placed ? j.placed : j.submitted), step::ended, j.amount, !placed});
  }
  std::erase_if(all, [last](const span_event& e) { return e.at > last; });
  // What takes no time begins before it ends.
  const auto order = [](const span_event& e) {
    return e.what == step::submitted ? 0 : e.what == step::placed ? 1 : 2;
  };
  std::ranges::sort(all, [&](const span_event& a, const span_event& b) {
    return a.at != b.at ? a.at < b.at : order(a) < order(b);
  });
  return all;
}

} // namespace

processor_use use_of(std::vector<job_span>& jobs, double processors) {
  instant first = instant::max();
  instant last = no_instant;
  for (const auto& j : jobs) {
    first = std::min(first, j.submitted);
    if (j.placed != no_instant)
      last = std::max(last, j.ended);
  }
  processor_use use;
  if (last == no_instant || last <= first || !(processors > 0))
    return use;
  std::map<std::int64_t, std::uint64_t> waiting; // jobs by amount
  double held = 0;
  instant now = first;
  const auto leave = [&](std::int64_t amount) {
    if (const auto at = waiting.find(amount); at != waiting.end() && --at->second == 0)
      waiting.erase(at);
  };
  for (const auto& e : events_of(jobs, last)) {
    const double s = to_seconds(e.at - now);
    const double free = std::max(0.0, processors - held);
    use.busy += held * s;
    if (!waiting.empty())
      use.idle_while_waiting += free * s;
    if (!waiting.empty() && static_cast<double>(waiting.begin()->first) <= free)
      use.lost += free * s;
    now = e.at;
    if (e.what == step::submitted)
      ++waiting[e.amount];
    else if (e.what == step::placed || e.waited)
      leave(e.amount);
    if (e.what == step::placed)
      held += static_cast<double>(e.amount);
    else if (e.what == step::ended && !e.waited)
      held -= static_cast<double>(e.amount);
  }
  use.seconds = to_seconds(last - first);
  for (auto* share : {&use.busy, &use.lost, &use.idle_while_waiting})
    *share /= processors * use.seconds;
  return use;
}

} // namespace troupe
