#include "report/page/plots/plots.hpp"

namespace troupe {

namespace {

constexpr plot_series waiting_series[] = {
  {"queued", "queued", "sky"},
  {"in_commit", "in commit", "orange", "6 3"},
  {"waiting_mean", "waiting, mean of the interval", "grey", "2 2"},
};

constexpr plot_series running_series[] = {{"running", "running", "green"}};

constexpr plot_series rates_series[] = {
  {"placed_per_s", "placed", "green"},
  {"submitted_per_s", "submitted", "sky", "6 3"},
  {"finished_per_s", "finished", "grey", "2 2"},
  {"failed_per_s", "failed", "vermillion", "10 4 2 4"},
  {"lost_per_s", "lost", "purple", "10 4"},
  {"abandoned_per_s", "abandoned", "orange", "4 4"},
};

constexpr plot_series delay_series[] = {
  {"scheduling_delay_mean_s", "mean", "black"},
  {"scheduling_delay_p50_s", "p50", "blue", "6 3"},
  {"scheduling_delay_p90_s", "p90", "orange", "10 4 2 4"},
  {"scheduling_delay_p99_s", "p99", "vermillion", "2 2"},
};

constexpr plot_series waits_series[] = {
  {"waiting_age_mean_s", "mean age", "blue"},
  {"waiting_age_max_s", "greatest age", "vermillion", "2 2"},
};

constexpr plot_series conflicts_series[] = {
  {"conflict_fraction", "all causes", "black"},
  {"conflict_fraction_taken", "taken", "purple", "6 3"},
  {"conflict_fraction_changed", "changed", "blue", "2 2"},
  {"conflict_fraction_gone", "gone", "vermillion", "10 4 2 4"},
  {"conflict_fraction_moved", "moved", "orange", "10 4"},
};

constexpr plot_series utilization_series[] = {
  {"utilization", "greatest of the resources", "black"},
  {"cpu_utilization", "CPU", "blue"},
  {"memory_utilization", "memory", "green"},
  {"gpu_utilization", "GPU", "purple"},
  {"slots_utilization", "slots", "orange"},
};

constexpr plot_series fragmentation_series[] = {
  {"cpu_fragmentation", "CPU", "blue"},
  {"memory_fragmentation", "memory", "green", "6 3"},
  {"gpu_fragmentation", "GPU", "purple", "2 2"},
  {"slots_fragmentation", "slots", "orange", "10 4 2 4"},
};

constexpr plot_series quality_series[] = {
  {"quality_mean", "mean", "blue"},
  {"quality_stddev", "standard deviation", "orange", "6 3"},
};

constexpr plot_series staleness_series[] = {
  {"staleness_mean_s", "views, mean", "blue"},
  {"staleness_min_s", "freshest view", "green", "2 2"},
  {"staleness_max_s", "oldest view", "vermillion", "6 3"},
  {"placement_staleness_mean_s", "partitions that got tasks", "purple", "10 4 2 4"},
};

constexpr plot_series messages_series[] = {
  {"commits_per_s", "commits", "blue"},
  {"snapshots_per_s", "snapshots of partitions", "green", "6 3"},
  {"retransmits_per_s", "commits sent again", "vermillion", "2 2"},
};

constexpr plot_series busy_series[] = {
  {"busyness", "deciding", "blue"},
  {"wasted_time_fraction", "of it on refused placements", "vermillion", "2 2"},
};

constexpr plot_series jobs_series[] = {
  {"job_response_mean_s", "response, mean", "blue"},
  {"wait_mean_s", "wait for the first decision, mean", "orange", "6 3"},
};

constexpr plot_series offers_series[] = {
  {"offers_made_per_s", "made", "blue"},
  {"offers_accepted_per_s", "accepted", "green", "6 3"},
  {"offers_declined_per_s", "declined", "vermillion", "2 2"},
};

constexpr plot_series preemptions_series[] = {{"preempted_per_s", "preempted", "vermillion"}};

constexpr plot all_plots[] = {
  {"delay", "Scheduling delay", "delay of tasks placed in the interval (s, log)", "s", true,
   delay_series, "no task was placed"},
  {"waiting", "Tasks that wait", "tasks at the end of the interval", "", false, waiting_series,
   "no task waited at the end of any interval"},
  {"waits", "Age of waiting tasks", "waiting so far (s, log)", "s", true, waits_series,
   "no task waited at the end of any interval"},
  {"running", "Tasks that run", "tasks at the end of the interval", "", false, running_series,
   "no task ran at the end of any interval"},
  {"rates", "Rates", "tasks per second", "/s", false, rates_series, "no task was submitted"},
  {"conflicts", "Conflicts", "refused per accepted placement (%)", "%", false, conflicts_series,
   "no placement was refused"},
  {"utilization", "Utilization", "share of the capacity in use (%)", "%", false, utilization_series,
   "no machine was in use"},
  {"fragmentation", "Stranded resources", "stranded share of what is free (%)", "%", false,
   fragmentation_series, "nothing was stranded"},
  {"quality", "Quality of placements", "score of the machines chosen", "", false, quality_series,
   "no score was measured: this architecture does not report it, or no task was placed"},
  {"staleness", "Staleness of views", "age (s)", "s", false, staleness_series,
   "there are no sync rounds: schedulers have exact views, offers, or none"},
  {"messages", "Messages", "messages per second", "/s", false, messages_series,
   "schedulers of this architecture send no commits and get no snapshots"},
  {"busyness", "Busyness of schedulers", "share of their time (%)", "%", false, busy_series,
   "the deciding time of schedulers was 0"},
  {"jobs", "Jobs", "time since submission (s, log)", "s", true, jobs_series, "no job finished"},
  {"offers", "Offers", "offers per second", "/s", false, offers_series, ""},
  {"preemptions", "Preemptions", "tasks per second", "/s", false, preemptions_series, ""},
};

} // namespace

std::span<const plot> plots() {
  return all_plots;
}

} // namespace troupe
