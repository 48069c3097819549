#include "model/metrics/parallel_jobs.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr double slowdown_threshold = 10; // s

std::optional<resource> processors_of(const resource_sum& demand) {
  for (const auto kind : {resource::slots, resource::cpu, resource::gpu})
    if (demand.amount[static_cast<std::size_t>(kind)] > 0)
      return kind;
  return std::nullopt;
}

bool has_ended(const job_record& what) {
  return what.state >= record_state::finished && what.at.ended != no_instant;
}

} // namespace

void parallel_jobs::add(const job_record& what) {
  if (!kind_)
    kind_ = processors_of(what.demand);
  any_loose_ = any_loose_ || (what.tasks > 1 && !what.gang);
  const bool ended = has_ended(what);
  open_ += what.state < record_state::finished ? 1 : 0;
  spans_.push_back({what.at.submitted, what.at.first_placed, ended ? what.at.ended : no_instant,
                    kind_ ? what.demand.amount[static_cast<std::size_t>(*kind_)] : 0});
  if (ended && what.at.first_placed != no_instant && what.state != record_state::abandoned &&
      what.at.submitted >= warmup_)
    add_figures(what);
}

void parallel_jobs::add_figures(const job_record& what) {
  const double run = std::max(0.0, to_seconds(what.at.ended - what.at.first_placed));
  const double wait = std::max(0.0, to_seconds(what.at.first_placed - what.at.submitted));
  const double slowdown = std::max(1.0, (wait + run) / std::max(run, slowdown_threshold));
  for (auto* of : {&all_, &by_width_[class_of(width_classes, what.tasks)],
                   &by_estimate_[class_of(estimate_classes, what.estimate)]}) {
    of->wait.add(wait);
    of->response.add(wait + run);
    of->slowdown.add(slowdown);
  }
}

std::optional<processor_use> parallel_jobs::use(double of) const {
  if (any_loose_)
    return std::nullopt;
  auto spans = spans_;
  return use_of(spans, of);
}

} // namespace troupe
