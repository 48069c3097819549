#pragma once

#include "model/live/live_state.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// The most rows in one report: the rest comes with the next ones.
inline constexpr std::size_t most_rows_told = 100;

/// What one process tells another of its live state. The rows are only those that the other one
/// does not have, so that it can keep a state of its own that equals this one.
struct live_report {
  live_about about; ///< without a name of the run: there is none
  instant now{0};
  std::uint64_t samples = 0;
  bool over = false;
  bool detailed = false;
  std::vector<scheduler_sample> groups;
  double utilization = 0;
  resource_uses resources{};
  node_status machines;
  offer_sample offers;
  std::vector<live_scheduler> schedulers;
  std::vector<live_owner> owners;
  std::vector<live_partition> partitions;
  std::vector<live_event> events;
  std::uint64_t events_so_far = 0;
  std::vector<live_row> rows;
};

/// What the other side has already.
struct live_request {
  std::string run;         ///< of which it has rows
  std::uint64_t after = 0; ///< the number of the last one
};

/// Returns the rows and the state that the other side does not have, the oldest rows first. Leaves
/// out rows that are no longer kept.
live_report report_of(const live_state& state, const live_request& asked);

/// Brings a state up to date, of this run or of an earlier one, which is forgotten then. Its nodes
/// stay as they are.
void apply(live_state& state, live_report report);

} // namespace troupe
