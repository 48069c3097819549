#include "workload/generate/factory.hpp"

#include "workload/generate/estimating_source.hpp"
#include "workload/generate/gangless_source.hpp"
#include "workload/generate/generator.hpp"
#include "workload/generate/live_source.hpp"
#include "workload/generate/lublin_source.hpp"
#include "workload/generate/sampler.hpp"
#include "workload/traces/trace_source.hpp"

#include <stdexcept>

namespace troupe {

namespace {

constexpr std::uint64_t checked_bytes = 16 * 1024 * 1024;

void check_trace(const workload_settings& settings, bool probed) {
  if (settings.file.empty())
    throw std::runtime_error{
      "[workload] file is empty; expected a trace, as in --set workload.file=PATH"};
  const auto reader = open_trace(settings.file, settings.trace);
  if (settings.gang && reader->has_dependencies())
    throw std::runtime_error{"[workload] gang = true: tasks of " + settings.file +
                             " wait for others of their job, so they cannot start together"};
  trace_job job;
  while (reader->bytes() < checked_bytes && reader->next(job))
    if (probed && job.gang && job.task_count() > 1)
      throw std::runtime_error{
        why_no_gangs(settings.file, static_cast<std::uint32_t>(job.task_count()))};
}

} // namespace

namespace {

std::unique_ptr<job_source> make_plain_source(const workload_settings& settings, double capacity,
                                              std::uint32_t schedulers, random_stream random,
                                              const trace_tenants& tenants) {
  switch (settings.kind) {
  case workload_kind::burst:
    return std::make_unique<burst_source>(settings, schedulers, random);
  case workload_kind::trace:
    return std::make_unique<trace_source>(settings, random, tenants);
  case workload_kind::jobs:
    return std::make_unique<live_source>();
  case workload_kind::lublin:
    return std::make_unique<lublin_source>(settings, random);
  case workload_kind::phases:
    break;
  }
  return std::make_unique<phase_source>(settings, capacity, random);
}

} // namespace

std::unique_ptr<job_source> make_job_source(const workload_settings& settings, double capacity,
                                            std::uint32_t schedulers, random_stream random,
                                            const trace_tenants& tenants) {
  auto source = make_plain_source(settings, capacity, schedulers, random, tenants);
  if (settings.estimates == estimate_kind::given)
    return source;
  return std::make_unique<estimating_source>(
    std::move(source), settings.estimates, settings.estimate_factor,
    random_stream{random_stream::mix(random() ^ 0x657374696d617465ULL)}); // unlike all others
}

double mean_tasks_per_job(const workload_settings& settings) {
  return sampler{settings.tasks_per_job}.mean_count();
}

void check_workload(const workload_settings& settings, bool probed) {
  if (settings.kind == workload_kind::phases && settings.phases.empty())
    throw std::runtime_error{"[workload] kind = \"phases\" needs at least one [[workload.phases]] "
                             "with a length and a rate or a load"};
  if (settings.kind == workload_kind::trace)
    check_trace(settings, probed);
  try {
    make_job_source(settings, 1, 1, random_stream{});
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error{std::string{"[workload] "} + error.what()};
  }
}

} // namespace troupe
