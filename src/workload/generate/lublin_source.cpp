#include "workload/generate/lublin_source.hpp"

#include <limits>

namespace troupe {

lublin_source::lublin_source(const workload_settings& settings, random_stream random)
  : model_(settings.lublin.jobs, settings.lublin.processors),
    arrivals_(settings.lublin.jobs, settings.lublin.interarrival_factor,
              settings.lublin.time_of_day, random_stream{random()}),
    requests_(settings),
    estimate_error_(settings.estimate_error),
    duration_factor_(settings.lublin.duration_factor),
    sizes_random_(random()),
    runtimes_random_(random()),
    requests_random_(random()),
    estimates_random_(random()),
    left_(settings.jobs == 0 ? std::numeric_limits<std::uint64_t>::max() : settings.jobs) {}

std::optional<job> lublin_source::next() {
  if (left_ == 0)
    return std::nullopt;
  --left_;
  job made;
  made.id = next_id_++;
  made.submitted = arrivals_.next();
  auto& group = made.groups.emplace_back();
  group.count = model_.draw_size(sizes_random_);
  made.gang = group.count > 1;
  requests_.fill(group, requests_random_);
  auto runtime = model_.draw_runtime(group.count, runtimes_random_);
  if (duration_factor_ != 1)
    runtime = from_seconds(to_seconds(runtime) * duration_factor_);
  group.durations = {runtime};
  made.estimate = runtime;
  if (estimate_error_ > 0) {
    const double factor = 1 + estimate_error_ * (2 * estimates_random_.unit() - 1);
    made.estimate = from_seconds(to_seconds(runtime) * factor);
  }
  return made;
}

} // namespace troupe
