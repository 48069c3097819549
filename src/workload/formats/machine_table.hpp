#pragma once

#include "model/cluster/catalog.hpp"
#include "settings/schema/settings.hpp"
#include "workload/traces/trace_tally.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace troupe {

/// A machine of a trace.
struct traced_machine {
  std::string name;
  resources greatest; ///< the greatest amount of each resource that it ever has
  resources at_begin; ///< its capacity at the beginning of the run; nothing if it joins later
  std::uint32_t kind = 0;
};

/// A machine's capacity from some time on; none: it has left.
struct capacity_change {
  instant at{0};             ///< in the run
  std::uint32_t machine = 0; ///< index in the table
  resources capacity;
};

/// The machines of a trace, and their changes in the run.
struct machine_table {
  std::vector<machine_kind> kinds; ///< by attributes
  std::vector<traced_machine> machines;
  std::vector<capacity_change> changes;         ///< in the order of time, after the beginning
  std::map<std::string, std::uint64_t> skipped; ///< skipped rows, by reason
  std::uint64_t rows = 0;
  std::map<std::string, std::uint64_t>
    events;                  ///< numbers of rows by kind, if there are several kinds
  std::uint64_t joins = 0;   ///< among the changes: from nothing to something
  std::uint64_t leaves = 0;  ///< and from something to nothing
  std::uint64_t resizes = 0; ///< and the others

  /// The number of machines present at the beginning of the run.
  std::uint64_t present() const;

  /// The capacity of each machine at the time at which the most are there, the first such time.
  std::vector<resources> at_most_present() const;
};

/// A log or a recording that does not say which machines there were.
class machines_unknown : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Reads the machines from `settings.file`, without machines that are never present.
///
/// Google 2011: `machine_events`, with the attributes of `machine_attributes`, as of the beginning
/// of the run, and the platform as the attribute `platform`. Alibaba 2018: `machine_meta`, those in
/// use, with `failure_domain_1` and `failure_domain_2` as attributes. openb: the table of nodes,
/// with `model`, the GPU's, as attribute. SWF: as many nodes as the header says, with its
/// processors, one slot each, divided among them. Recordings: those that were there, with their
/// attributes.
///
/// Throws `machines_unknown` if the header of a log has no numbers of machines that could be used,
/// or a recording has no lines of machines, and `std::runtime_error` with the problem if the file
/// cannot be read, more than 1 % of its rows are malformed, or it has no machines.
machine_table read_machines(const machine_trace_settings& settings);

} // namespace troupe
