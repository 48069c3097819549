#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Finding out what the files of a trace are.
namespace troupe {

enum class trace_format : std::uint8_t { tr, google2011, alibaba2018, alibaba2017, swf, openb };

inline std::string to_string(trace_format f) {
  constexpr const char* names[] = {"tr",          "google2011", "alibaba2018",
                                   "alibaba2017", "swf",        "openb"};
  return names[static_cast<std::size_t>(f)];
}

/// What a file of a trace holds.
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
  unknown,
};

trace_format format_of(table t);

/// Returns what a file with these first lines holds.
table recognise(const std::vector<std::string>& lines);

/// The files of one trace, each kind in the order of their names.
struct trace_files {
  trace_format format = trace_format::tr;
  std::vector<std::string> jobs;        ///< of Google's trace: task events, or else job events
  std::vector<std::string> constraints; ///< Google's
  std::vector<std::string> machines;
  std::vector<std::string> attributes; ///< of machines, Google's
  bool job_events = false;             ///< `jobs` are job events
};

/// Finds the tables of a trace: `path` is one of its files, plain or packed with gzip, or a
/// directory with some of them, where a table is a file, several files, or a directory of files
/// that has the table's name in its own; or it is such a directory of files. `format` is a format's
/// name, or "auto", for the one that is recognised. Throws `std::runtime_error` if there is nothing
/// there, or nothing of that format.
trace_files find_trace(const std::string& path, std::string_view format);

/// Throws `std::runtime_error` if two files of one table begin with the same rows: one of them is a
/// copy.
void refuse_copies(const std::vector<std::string>& paths);

} // namespace troupe
