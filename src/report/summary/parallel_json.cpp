#include "report/summary/parallel_json.hpp"

#include "report/json/json_number.hpp"

#include <cmath>
#include <string>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

json figures_json(const parallel_jobs::figures& f) {
  return {{"jobs", f.wait.count()},
          {"wait_s", json_delay(f.wait)},
          {"response_s", json_delay(f.response)},
          {"bounded_slowdown", json_delay(f.slowdown)}};
}

} // namespace

std::optional<processor_total> processors_of(const parallel_jobs& jobs, const totals& run) {
  const auto kind = jobs.processors();
  if (!kind || !(run.seconds > 0))
    return std::nullopt;
  const auto capacity = run.resources[static_cast<std::size_t>(*kind)].capacity;
  if (!(capacity > 0))
    return std::nullopt;
  // Amounts are whole: sums over intervals are off by rounding, and a job would seem not to fit.
  const double mean = capacity / run.seconds;
  const double whole = std::round(mean);
  return processor_total{std::abs(mean - whole) < 1e-6 * mean ? whole : mean,
                         *kind == resource::slots ? 1.0 : 1000.0};
}

json parallel_json(const parallel_jobs& jobs, const totals& run) {
  auto out = figures_json(jobs.all());
  out["open"] = jobs.open();
  for (std::size_t i = 0; i < width_classes.size(); ++i)
    out["by_width"][std::string(width_classes[i].name)] = figures_json(jobs.of_width(i));
  for (std::size_t i = 0; i < estimate_classes.size(); ++i)
    out["by_estimate"][std::string(estimate_classes[i].name)] = figures_json(jobs.of_estimate(i));
  const auto processors = processors_of(jobs, run);
  const auto use = processors ? jobs.use(processors->amount) : std::nullopt;
  const auto known = use && use->seconds > 0;
  const auto share = [&](double processor_use::*which) {
    return json_number_if(known, known ? (*use).*which : 0);
  };
  out["processors"] =
    json_number_if(processors.has_value(), processors ? processors->amount / processors->each : 0);
  out["makespan_s"] = share(&processor_use::seconds);
  out["processor_utilization"] = share(&processor_use::busy);
  out["loss_of_capacity"] = share(&processor_use::lost);
  out["idle_while_waiting"] = share(&processor_use::idle_while_waiting);
  return out;
}

} // namespace troupe
