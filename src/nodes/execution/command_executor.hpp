#pragma once

#include "actors/machine/executor.hpp"
#include "nodes/execution/run_table.hpp"
#include "nodes/execution/running_attempts.hpp"
#include "nodes/execution/service_connection.hpp"
#include "nodes/execution/task_folders.hpp"
#include "process/base/unique_fd.hpp"

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace troupe {

struct command_executor_config {
  std::string node;       ///< its name
  std::uint64_t boot = 0; ///< of its process; rises from one to the next
  std::shared_ptr<const task_folders> folders;
  command_rules rules;
  /// Asks the job service. Throws `std::runtime_error` if it does not answer within some seconds.
  std::function<work_answer(const work_report&)> ask;
  std::function<instant()> now; ///< the time of the cluster
  /// At the end of the node: commands continue under their supervisors, until their leases run out
  /// or the node is restarted.
  bool keeps_commands = false;
  std::chrono::seconds keeps_output{std::chrono::hours{24}}; ///< of ended commands
};

/// Runs the tasks of submitted jobs, which are real commands. When a machine starts a task, the
/// executor asks the job service, which books an attempt or refuses. So a task never runs twice at
/// a time, even if schedulers and owners disagree, and the service learns each end even if the node
/// is killed. Has a thread of its own.
class command_executor final : public node_executor {
public:
  explicit command_executor(command_executor_config config);
  command_executor(const command_executor&) = delete;
  command_executor& operator=(const command_executor&) = delete;

  ~command_executor() override;

  /// Ends all commands, unless it keeps them, and waits for their ends. It starts nothing from then
  /// on.
  void end();

  run_number start(machine_id machine, const launch_order& order, instant now) override;
  void kill(machine_id machine, run_number run) override;
  void refuse(machine_id machine, const launch_order& order) override;
  bool has_ended(run_number run) const override;

  void attach(node_actor node) override;
  instant next_due() override;
  void take_due(instant now, std::vector<task_end_queue::entry>& out) override;
  void take_started(std::vector<started_task>& out) override;
  node_status status() override;
  std::shared_ptr<const foreign_use> use_by_others() override { return adopted_; }
  std::vector<std::uint64_t> starts_by_group() override;

private:
  struct kill_wish {
    attempt_key which;
    end_reason reason = end_reason::preempted;
  };

  void work();
  void pass();
  void exchange(std::int64_t now_ns);
  void hear(const service_connection::reply& reply);
  std::int64_t pause_after(const work_report& report) const;
  void apply(const work_answer& answer, std::int64_t asked_ns);
  void take_permit(const start_permit& permit, std::int64_t asked_ns);
  void tell_ends();
  void clean();
  void carry_out_kills();
  void end_all();
  void wake_thread() const;
  void wait_for_something();
  bool is_stopping() const;

  command_executor_config config_;
  unique_fd wake_; ///< an eventfd

  mutable std::mutex mutex_; ///< guards the following members
  run_table runs_;
  std::vector<kill_wish> kills_;
  node_actor node_;
  bool stops_ = false;

  std::shared_ptr<foreign_use> adopted_ = std::make_shared<foreign_use>();

  // Of the thread.
  running_attempts attempts_;
  std::set<task_id> asked_;    ///< and are to wait
  std::set<attempt_key> told_; ///< ends that the service has received, but not acknowledged
  service_connection service_;
  std::int64_t asked_ns_ = 0; ///< when the present question was asked
  std::int64_t exchange_at_ = 0;
  std::int64_t running_told_ = 0;
  std::int64_t looked_at_ = 0;
  std::int64_t cleaned_at_ = 0;
  std::future<void> cleaning_;
  bool failing_ = false; ///< the service does not answer
  std::thread thread_;
};

} // namespace troupe
