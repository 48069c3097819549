#pragma once

#include <actors/plugin/scheduler_plugin.hpp>
#include <deque>
#include <map>
#include <model/metrics/group_counters.hpp>
#include <optional>
#include <set>

namespace round_robin {

/// What the scheduler knows and decides, without the actor around it. Every task is in one place:
/// queued here, sent to a machine, running there, or over.
class core {
public:
  /// A task for the queue of a machine.
  struct order {
    troupe::machine_id machine = 0;
    troupe::queue_entry entry;
  };

  /// Starts at machine `first`, and goes on by `stride` machines from task to task.
  core(const troupe::scheduler_world& world, std::uint32_t stride);

  void submit(std::vector<troupe::job> jobs);

  /// Returns how long deciding on the first job that waits takes; nothing if none does.
  std::optional<troupe::duration> decide() const;

  /// Sends the tasks of that job that wait for no others to machines.
  std::vector<order> place();

  /// Books starts and ends; tasks that were lost with their machine are sent elsewhere.
  std::vector<order> book(const troupe::task_news& news);

  /// A machine has so much from now on, or nothing while it is away: tasks that were sent there and
  /// do not fit any more go elsewhere, and tasks that have no machine try again.
  std::vector<order> set_capacity(const troupe::capacity_notice& what);

  bool idle() const { return open_.empty(); }
  std::vector<troupe::group_sample> take_samples(troupe::instant now) { return books_.take(now); }

private:
  enum class place_of : std::uint8_t { queued, sent, running, over };

  struct open_job {
    troupe::job what;
    std::vector<place_of> tasks;
    std::vector<troupe::machine_id> machines; ///< where each task is, if it is sent or running
    std::uint32_t left = 0;                   ///< tasks that are not over
    troupe::instant last_end{0};
  };

  std::optional<troupe::machine_id> next_machine(const troupe::task_group& group);
  bool suits(const troupe::task_group& group, troupe::machine_id machine,
             const troupe::resources& capacity) const;
  std::vector<std::uint32_t> due(const open_job& j) const;
  static bool is_due(const open_job& j, std::uint32_t group);
  bool is_possible(const troupe::task_group& group) const;
  void send(open_job& j, std::uint32_t task, std::vector<order>& out);
  std::vector<order> take_back(troupe::machine_id machine);
  void close(open_job& j, std::uint32_t task, troupe::instant at);
  troupe::group_counters::book& book_of(const open_job& j) { return books_.of(j.what.group); }

  troupe::scheduler_id id_;
  std::shared_ptr<const troupe::catalog> machines_;
  troupe::scheduler_limits limits_;
  std::uint32_t stride_;
  troupe::machine_id next_;
  std::vector<troupe::resources> has_; ///< by machine
  std::set<troupe::task_id> homeless_; ///< tasks that wait for a machine to return
  std::deque<troupe::job_id> waiting_;
  std::map<troupe::job_id, open_job> open_;
  troupe::group_counters books_;
};

} // namespace round_robin
