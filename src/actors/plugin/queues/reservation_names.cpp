#include "actors/plugin/queues/reservation_names.hpp"

namespace troupe {

namespace {

/// The first number of parts of jobs, which is above all numbers of groups.
constexpr std::uint32_t first_part = std::uint32_t{1} << 31;

} // namespace

std::optional<reserved_group> reservation_names::named(const reserved_group& seen) const {
  const auto id = jobs_.job_named(seen.job);
  if (!id)
    return std::nullopt;
  const auto part = plugin_jobs::alias_number(seen.job);
  if (!part && seen.group >= jobs_.find(*id)->groups.size())
    return std::nullopt;
  return reserved_group{*id, part ? first_part | *part : seen.group};
}

std::optional<reserved_group> reservation_names::seen(const reserved_group& what) const {
  const bool part = what.group >= first_part;
  const reserved_group own{part ? plugin_jobs::alias_of(what.job, what.group - first_part)
                                : what.job,
                           part ? 0 : what.group};
  return jobs_.job_named(own.job) ? std::optional{own} : std::nullopt;
}

const task_group& reservation_names::tasks_of(const reserved_group& what) const {
  if (what.group < first_part)
    return jobs_.find(what.job)->groups.at(what.group);
  return jobs_.group_of(
    *jobs_.named({plugin_jobs::alias_of(what.job, what.group - first_part), 0}));
}

} // namespace troupe
