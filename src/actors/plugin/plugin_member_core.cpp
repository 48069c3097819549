#include "actors/plugin/plugin_member_core.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

/// A scheduler counts its commits behind those of its earlier incarnations.
constexpr unsigned bits_of_commits = 40;

} // namespace

plugin_member_core::plugin_member_core(plugin_member_rules rules, const catalog& machines,
                                       std::vector<owner_id> owner_of, instant now,
                                       std::unique_ptr<plugin_records> records)
  : rules_(std::move(rules)),
    machines_(&machines),
    owner_of_(std::move(owner_of)),
    channels_(1 + *std::ranges::max_element(owner_of_)),
    books_(rules_.group, rules_.warmup, now),
    records_(std::move(records)),
    failover_(rules_.id, rules_.incarnation, channels_.size(), rules_.stores, rules_.retries) {}

commit_id plugin_member_core::number_of(owner_id owner, commit_id of_plugin) const {
  return (commit_id{rules_.incarnation} << bits_of_commits) + channels_.at(owner).renumbered +
         of_plugin;
}

/// Returns the plugin's number of the last commit that is among those up to `id`, or a lower one.
commit_id plugin_member_core::plugin_number(owner_id owner, commit_id id) const {
  const auto base = number_of(owner, 0);
  return id >= base ? id - base : 0;
}

void plugin_member_core::check_balance() const {
#ifdef TROUPE_CHECKS
  if (!books_.counters().balanced())
    throw std::logic_error("the tasks of scheduler " + std::to_string(rules_.id) +
                           " do not balance");
#endif
}

// -- what goes out ------------------------------------------------------------------------------

void plugin_member_core::tell(plugin_message what) {
  ++told_count_;
  told_.push_back(std::move(what));
}

void plugin_member_core::submit(std::vector<job> jobs) {
  if (!jobs.empty())
    tell(submission{std::move(jobs)});
}

void plugin_member_core::flush_reports() {
  for (owner_id o = 0; o < channels_.size(); ++o) {
    auto& to = channels_[o];
    if (to.next.ends.empty() && to.next.changes.empty() && to.next.preempted.empty())
      continue;
    to.next.owner = o;
    to.next.number = ++to.told;
    tell(std::exchange(to.next, {}));
  }
  check_balance();
}

std::vector<plugin_member_core::plugin_message> plugin_member_core::take_told() {
  flush_reports();
  return std::exchange(told_, {});
}

std::vector<std::pair<owner_id, commit_request>> plugin_member_core::take_commits() {
  return std::exchange(commits_, {});
}

// -- ends of tasks ------------------------------------------------------------------------------

void plugin_member_core::report(const task_report& report) {
  auto& from = channels_.at(report.owner);
  if (book(report))
    book_early(report.owner);
  else if (report.number > from.reports_seen)
    from.early.try_emplace(report.number, report);
}

bool plugin_member_core::book(const task_report& report) {
  auto& seen = channels_[report.owner].reports_seen;
  if (report.number != seen + 1 || awaits_answer(report))
    return false;
  ++seen;
  for (const auto& e : report.ends)
    close(e);
  for (const auto& gone : report.preempted)
    requeue(gone);
  for (const auto& c : report.changes)
    change(c);
  failover_.booked(report.owner, report.number);
  return true;
}

void plugin_member_core::book_early(owner_id owner) {
  auto& early = channels_[owner].early;
  while (!early.empty() && book(early.begin()->second))
    early.erase(early.begin());
}

bool plugin_member_core::forget_running(const task_id& task, machine_id machine) {
  locate(task, machine);
  const auto it = failover_.running.find(task);
  if (it == failover_.running.end() || it->second != machine)
    return false;
  failover_.running.erase(it);
  return true;
}

void plugin_member_core::tell_end(const plugin_jobs::task_record& was, task_outcome outcome,
                                  instant at) {
  if (was.shown)
    channels_[owner_of(was.machine)].next.ends.push_back({was.seen, was.machine, outcome, at});
}

void plugin_member_core::close(const task_end& end) {
  if (!forget_running(end.task, end.machine))
    return;
  if (books_.jobs.find(end.task.job) == nullptr) { // its job is over: it must have run twice
    ++own_sample().duplicate_grants;
    return;
  }
  auto& [counts, sample] = book_of(end.task);
#ifdef TROUPE_CHECKS
  sample.duplicate_grants += granted_.erase(end.task) == 0;
#endif
  --counts.running;
  vacate(end.task, end.machine);
  if (end.outcome == task_outcome::lost && failover_.may_retry(end.task)) {
    ++counts.queued;
    if (records_)
      records_->lose(end.task, end.at);
    queue_again(end.task, end.at);
    return;
  }
  // The plugin would place a lost task again.
  const bool lost = end.outcome == task_outcome::lost;
  tell_end(books_.jobs.at(end.task), lost ? task_outcome::failed : end.outcome, end.at);
  close_for_good(end.task, end.at, fate_of(end.outcome));
}

void plugin_member_core::close_for_good(const task_id& task, instant at, task_fate fate) {
  failover_.over(task, fate);
  if (records_)
    records_->end(task, at, fate);
  submit(books_.close(task, at, fate));
}

void plugin_member_core::requeue(const preempted_task& gone) {
  if (!forget_running(gone.task, gone.machine))
    return;
  if (books_.jobs.find(gone.task.job) == nullptr) {
    ++own_sample().duplicate_grants;
    return;
  }
  auto& [counts, sample] = book_of(gone.task);
#ifdef TROUPE_CHECKS
  sample.duplicate_grants += granted_.erase(gone.task) == 0;
#endif
  --counts.running;
  ++counts.queued;
  ++sample.preempted.tasks;
  if (records_)
    records_->preempt(gone);
  vacate(gone.task, gone.machine);
  books_.jobs.put_back(gone.task);
  const auto& record = books_.jobs.at(gone.task);
  if (record.shown)
    channels_[owner_of(record.machine)].next.preempted.push_back(
      {record.seen, record.machine, gone.at, gone.ran});
  else
    submit(books_.jobs.release(gone.task.job));
}

void plugin_member_core::queue_again(const task_id& task, instant at) {
  books_.jobs.put_back(task);
  const auto& record = books_.jobs.at(task);
  if (record.shown)
    tell_end(record, task_outcome::lost, at);
  else
    submit(books_.jobs.release(task.job));
}

std::uint64_t plugin_member_core::abandon_queued(std::uint32_t group, std::uint64_t given_up,
                                                 instant now) {
  const auto tasks = books_.abandoned(group, given_up);
  for (const auto& task : tasks) {
    --book_of(task).counts.queued;
    close_for_good(task, now, task_fate::abandoned);
  }
  return tasks.size();
}

// -- jobs and counts ----------------------------------------------------------------------------

task_places plugin_member_core::places() const {
  return {true, books_.jobs.count(place::held) + books_.jobs.count(place::queued), under_way(),
          failover_.running.size(), failover_.tallies()};
}

std::vector<group_sample> plugin_member_core::take_samples(std::vector<group_sample> of_plugin,
                                                           instant now) {
  return books_.take_samples(std::move(of_plugin), failover_.left, now);
}

} // namespace troupe
