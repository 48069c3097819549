#pragma once

#include "settings/schema/choices.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Detects the format of the files of a trace.
namespace troupe {

/// The kind of a trace's file.
enum class table : std::uint8_t {
  tr_jobs,
  swf_jobs,
  openb_pods,
  openb_nodes,
  alibaba_batch_task,
  alibaba_spar_tasks,
  alibaba_machine_meta,
  alibaba2017_batch_task,
  alibaba2017_server_event,
  google_task_events,
  google_job_events,
  google_task_constraints,
  google_machine_events,
  google_machine_attributes,
  recording,
  unknown,
};

/// Returns the format whose traces have such a file, never `automatic`.
trace_format format_of(table t);

/// Returns the kind of a file with these first lines.
table recognise(const std::vector<std::string>& lines);

/// The files of one trace, each kind in the order of their names.
struct trace_files {
  trace_format format = trace_format::tr; ///< never `automatic`
  std::vector<std::string> jobs;          ///< of Google's trace: task events, or else job events
  std::vector<std::string> constraints;   ///< Google's
  std::vector<std::string> machines;
  std::vector<std::string> attributes; ///< of machines, Google's
  bool job_events = false;             ///< `jobs` are job events
};

/// Finds the tables of a trace. `path` is one of its files, plain or gzipped; or a directory with
/// some tables, each of which is a file, several files, or a directory of files whose name contains
/// the table's name; or such a directory of files. `format` may be `automatic`, to detect it.
/// Throws `std::runtime_error` if there is nothing at `path`, or nothing of that format.
trace_files find_trace(const std::string& path, trace_format format);

/// Throws `std::runtime_error` if two files of one table begin with the same rows: one is a copy.
void refuse_copies(const std::vector<std::string>& paths);

} // namespace troupe
