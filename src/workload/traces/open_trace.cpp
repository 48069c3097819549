#include "workload/formats/alibaba_reader.hpp"
#include "workload/formats/google_reader.hpp"
#include "workload/formats/openb_reader.hpp"
#include "workload/formats/recorded_reader.hpp"
#include "workload/formats/swf_reader.hpp"
#include "workload/formats/tr_reader.hpp"
#include "workload/traces/sorted_reader.hpp"
#include "workload/traces/trace_format.hpp"

#include <stdexcept>

namespace troupe {

std::unique_ptr<trace_reader> open_trace(const std::string& path, const trace_settings& settings) {
  const auto files = find_trace(path, settings.format);
  if (files.jobs.empty())
    throw std::runtime_error{path +
                             ": no jobs can be read from this table; expected a table of jobs"};
  refuse_copies(files.jobs);
  switch (files.format) {
  case trace_format::automatic:
  case trace_format::tr:
    break;
  case trace_format::google2011: {
    google_tables tables;
    (files.job_events ? tables.job_events : tables.task_events) = files.jobs;
    tables.task_constraints = files.constraints;
    return std::make_unique<google_reader>(tables, settings);
  }
  case trace_format::alibaba2018:
  case trace_format::alibaba2017:
    return std::make_unique<alibaba_reader>(files.jobs, settings);
  case trace_format::swf:
    return std::make_unique<swf_reader>(files.jobs.front(), settings);
  case trace_format::recorded:
    return std::make_unique<recorded_reader>(files.jobs.front(), settings);
  case trace_format::openb:
    return std::make_unique<openb_reader>(files.jobs.front(), settings);
  }
  return std::make_unique<tr_reader>(files.jobs.front(), settings);
}

std::unique_ptr<trace_reader> open_sorted_trace(const std::string& path,
                                                const trace_settings& settings) {
  auto reader = open_trace(path, settings);
  if (reader->in_order())
    return reader;
  return std::make_unique<sorted_reader>(std::move(reader));
}

} // namespace troupe
