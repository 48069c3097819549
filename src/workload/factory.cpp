#include "workload/factory.hpp"

#include "workload/gangless_source.hpp"
#include "workload/generator.hpp"
#include "workload/sampler.hpp"
#include "workload/trace_source.hpp"

#include <stdexcept>

namespace troupe {

namespace {

constexpr std::uint64_t checked_bytes = 16 * 1024 * 1024;

void check_trace(const workload_settings& settings, bool probed) {
  if (settings.file.empty())
    throw std::runtime_error{"[workload] file is empty: name the trace, for instance with "
                             "--set workload.file=PATH"};
  const auto reader = open_trace(settings.file, settings.trace);
  if (settings.gang && reader->has_dependencies())
    throw std::runtime_error{"[workload] gang = true: tasks of " + settings.file +
                             " wait for others of their job, so they cannot start together"};
  if (probed && reader->has_dependencies())
    throw std::runtime_error{"[workload] file = \"" + settings.file +
                             "\": its tasks wait for others of their job, which schedulers that "
                             "probe machines cannot heed; choose an architecture other than "
                             "sparrow and hybrid"};
  trace_job job;
  while (reader->bytes() < checked_bytes && reader->next(job))
    if (probed && job.gang && job.task_count() > 1)
      throw std::runtime_error{
        why_no_gangs(settings.file, static_cast<std::uint32_t>(job.task_count()))};
}

} // namespace

std::unique_ptr<job_source> make_job_source(const workload_settings& settings, double capacity,
                                            std::uint32_t schedulers, random_stream random) {
  if (settings.kind == "phases")
    return std::make_unique<phase_source>(settings, capacity, random);
  if (settings.kind == "burst")
    return std::make_unique<burst_source>(settings, schedulers, random);
  if (settings.kind == "trace")
    return std::make_unique<trace_source>(settings, random);
  throw std::invalid_argument{"unknown kind of workload: " + settings.kind};
}

double mean_tasks_per_job(const workload_settings& settings) {
  return sampler{settings.tasks_per_job}.mean_count();
}

void check_workload(const workload_settings& settings, bool probed) {
  if (settings.kind == "phases" && settings.phases.empty())
    throw std::runtime_error{"[workload] kind = \"phases\" needs at least one [[workload.phases]] "
                             "with a length and a rate or a load"};
  if (settings.kind == "trace")
    check_trace(settings, probed);
  try {
    make_job_source(settings, 1, 1, random_stream{});
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error{std::string{"[workload] "} + error.what()};
  }
}

} // namespace troupe
