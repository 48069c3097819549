#pragma once

#include "model/metrics/task_balance.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/reliable_channel.hpp"

#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace troupe {

/// The books that a scheduler keeps in addition if failures are watched: the place of each running
/// task, the news that job stores and owners have not received yet, and, while it takes over from
/// an earlier incarnation, the statements that it has received so far.
///
/// An owner forgets an end only once every job store knows of it: the scheduler may die in between.
class failover_books {
public:
  /// `incarnation` is the scheduler's; `stores` are the numbers of those that give it jobs.
  failover_books(scheduler_id scheduler, incarnation_id incarnation, std::size_t owners,
                 std::vector<std::uint32_t> stores, std::uint32_t retries);

  scheduler_id scheduler() const { return scheduler_; }
  incarnation_id incarnation() const { return incarnation_; }

  // -- tasks --------------------------------------------------------------------------------------

  /// The places of the tasks that were granted, or may run.
  std::map<task_id, machine_id> running;

  /// Those of them that may run, on a machine that its owner does not know: on the one noted, or
  /// another one of its owner's, or `somewhere`.
  std::map<task_id, instant> unsure;
  static constexpr machine_id somewhere = std::numeric_limits<machine_id>::max();

  /// Owners that do not know all their machines.
  std::set<owner_id> partial;

  /// Books that a run of a task was lost. Returns whether it may run again.
  bool may_retry(const task_id& task);

  /// Calls `locate` with the place of each task of which an owner states that it runs, or has run
  /// to its end.
  template <class Locate>
  void locate_all(const owner_statement& statement, Locate locate) {
    // The first task of a job that is found says nothing of the others.
    partial.insert(statement.owner);
    for (const auto& r : statement.running)
      locate(r.task, r.machine);
    for (const auto& e : statement.ended)
      locate(e.task, e.machine);
    if (statement.unknown.empty())
      partial.erase(statement.owner);
  }

  // -- job stores ---------------------------------------------------------------------------------

  /// Notes that a task is over. Its job store is told with the next news.
  void over(const task_id& task, task_fate fate);

  /// Notes that a moldable job has a width, and so many more tasks than its job store knows. The
  /// next news contain this, before the end of any of these tasks.
  void molded(job_id id, std::uint32_t width, std::uint32_t added);

  /// Returns whether the job store has not acknowledged the width of a job, or of any.
  bool has_untold_width(job_id id) const;
  bool has_untold_width() const;

  /// Tells of the tasks that are over of which the job stores have not acknowledged it.
  void visit_untold(const std::function<void(const task_id&, task_fate)>& tell) const;

  /// Returns this incarnation's knowledge of the tasks of each store.
  std::vector<taken_tasks> tallies() const;

  /// Returns the reports that are due, by job store: tasks that ended since the last report, and
  /// those that the store has not acknowledged within `patience`. A report without tasks only
  /// acknowledges deliveries.
  std::vector<std::pair<std::uint32_t, store_report>> news(instant now, duration patience);

  /// Books a delivery. Returns those that are to be taken in now, in their order.
  std::vector<job_delivery> take(const job_delivery& what);

  /// Notes that a store has received the news up to a number. Returns the owners whose reports have
  /// become safe by this.
  std::vector<owner_id> confirm(const store_seen& seen, instant now);

  /// The number of the latest news, and the number up to which all stores have received them.
  std::uint64_t latest() const { return number_; }
  std::uint64_t confirmed() const;

  // -- owners -------------------------------------------------------------------------------------

  /// Notes that a report, or a statement, has been booked: it is safe once everything that is over
  /// by now is.
  void booked(owner_id owner, std::uint64_t number);

  /// The number up to which the reports of an owner are safe.
  std::uint64_t safe(owner_id owner) const { return owners_.at(owner).safe; }

  /// Begins another session with an owner, whose reports are safe up to `number`.
  void begin_session(owner_id owner, std::uint64_t number);

  // -- taking over --------------------------------------------------------------------------------

  /// Whether it still waits for the jobs of an earlier incarnation.
  bool taking_over() const { return taking_over_; }

  /// The statements received so far. A job stays here as long as it may have started on an unknown
  /// machine and no owner knows it.
  std::vector<kept_job> left;
  std::map<owner_id, owner_statement> statements;

  /// Jobs whose tasks need not be placed any more, of which the scheduler's other books do not know
  /// yet.
  std::set<job_id> withdrawn;

  /// Keeps the jobs that a store delivers of those that were left.
  void keep_left(const job_delivery& delivered);

  /// Returns whether all statements have arrived.
  bool told_all() const { return missing_.empty() && statements.size() == owners_.size(); }

  /// Ends the takeover when all statements have arrived: they say where tasks run. Returns the jobs
  /// to resume; a job that may have started on an unknown machine stays in `left`.
  std::vector<kept_job> take_over();

private:
  struct ended_task {
    std::uint64_t number = 0; ///< of the news
    task_id task;
    task_fate fate = task_fate::finished;
    std::uint32_t width = 0; ///< not 0: that its job has this width, and no end
    std::uint32_t added = 0; ///< tasks that it has thereby
  };

  struct store_state {
    reliable_receiver<job_delivery> deliveries;
    reliable_sender<ended_task> untold;
    std::uint64_t taken = 0; ///< tasks that it has delivered
    std::uint64_t over = 0;  ///< of these
    bool any_molded = false;
  };

  struct owner_state {
    std::uint64_t safe = 0;
    std::deque<std::pair<std::uint64_t, std::uint64_t>> booked; ///< news number, report number
  };

  std::vector<owner_id> settle();
  bool has_started(const kept_job& job) const;

  scheduler_id scheduler_;
  incarnation_id incarnation_;
  std::uint32_t retries_;
  bool taking_over_;
  std::uint64_t number_ = 0; ///< of the latest news, for all stores
  std::map<std::uint32_t, store_state> stores_;
  std::vector<owner_state> owners_;
  std::set<std::uint32_t> missing_; ///< stores that have not delivered the remaining jobs
  std::map<task_id, std::uint32_t> losses_;
};

} // namespace troupe
