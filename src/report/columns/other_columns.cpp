#include "report/columns/columns.hpp"

namespace troupe {

std::span<const file_column> scheduler_columns() {
  static constexpr file_column all[] = {
    {"from_s", "s",
     "begin of the interval: one of those of `timeseries.csv` or, beyond 20,000 rows, 2, 4, 8 ... "
     "of them"},
    {"to_s", "s", "its end"},
    {"scheduler", "", "number"},
    {"busyness", "", "share of the time in which it decided"},
    {"queued", "tasks",
     "that wait at it, at the end of the interval; of several intervals the greatest"},
    {"placed", "tasks", "accepted placements"},
    {"conflicts", "placements", "refused because of a conflict"},
    {"staleness_mean_s", "s", "mean age of its view; empty without snapshots"},
  };
  return all;
}

std::span<const file_column> partition_columns() {
  static constexpr file_column all[] = {
    {"from_s", "s",
     "begin of the interval, which is 1, 2, 4 ... of those of `timeseries.csv`, so that there are "
     "at most 200"},
    {"to_s", "s", "its end"},
    {"partition", "", "number of the first partition of the row"},
    {"partitions", "partitions",
     "how many neighbouring ones the row is about: one, if there are at most 100"},
    {"load", "",
     "share of the most used resource in use, at the end of the interval; of several partitions or "
     "intervals the mean; empty while the owner does not answer. Tasks in the queues of machines "
     "(`hybrid`) are not in it"},
    {"age_mean_s", "s",
     "mean age of the partition in the schedulers' views, likewise; empty without snapshots. If "
     "intervals are multiples of `sync.gap`, it is always that at the same point of the gap"},
    {"age_max_s", "s", "the greatest such age"},
    {"placed", "placements", "granted by the owner"},
    {"conflicts", "placements",
     "refused by the owner, without those refused for others of their transaction"},
  };
  return all;
}

std::span<const file_column> delay_columns() {
  static constexpr file_column all[] = {
    {"group", "", "group of jobs"},
    {"from_s", "s", "lower bound of the bin"},
    {"to_s", "s", "its upper bound"},
    {"placed", "tasks", "placed after such a scheduling delay"},
    {"waiting", "tasks", "waiting at the end of the run, for so long"},
    {"abandoned", "tasks", "given up after such a wait"},
  };
  return all;
}

std::span<const file_column> share_columns() {
  static constexpr file_column all[] = {
    {"from_s", "s", "begin of the interval"},
    {"to_s", "s", "its end"},
    {"tenant", "", "name"},
    {"share_mean", "",
     "dominant share of the cluster that the tenant uses, mean over the interval"},
    {"share_last", "", "the same at its end"},
  };
  return all;
}

std::span<const file_column> event_columns() {
  static constexpr file_column all[] = {
    {"at_s", "s",
     "when it happened. Takeovers may be up to 1 s later than the end of the run, while the last "
     "sample is taken"},
    {"event", "",
     "in virtual time the kind of a failure, `end` of one, or `takeover`. Of a cluster: `node "
     "lost`, `node back`, `node joined`, `node draining` or `node left`, as the node of the "
     "workload hears of it, `takeover`, or `policy`"},
    {"member", "", "the member, or the two sides of a link"},
    {"detail", "",
     "what has ended, who took over, what was on the node, or the policy that was set"},
  };
  return all;
}

} // namespace troupe
