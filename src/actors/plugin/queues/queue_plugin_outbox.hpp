#pragma once

#include "actors/plugin/plugin_jobs.hpp"
#include "actors/protocol/messages.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

namespace troupe {

/// The messages for a plugin of the protocol `queues`, in their order.
class queue_plugin_outbox {
public:
  using message =
    std::variant<submission, get_task_request, probe_answer, task_news, capacity_notice>;

  void tell(message what) {
    ++count_;
    messages_.push_back(std::move(what));
  }

  /// Tells that a task has started, by the plugin's number of it.
  void tell_start(const task_id& seen, machine_id machine, instant at) {
    tell(task_news{{{seen, machine, at}}, {}});
  }

  /// Tells of the end of a task, if the plugin knows it.
  void tell_end(const plugin_jobs::task_record& was, machine_id machine, task_outcome outcome,
                instant at) {
    if (was.shown)
      tell(task_news{{}, {{was.seen, machine, outcome, at}}});
  }

  /// Submits jobs, if there are any.
  void submit(std::vector<job> jobs) {
    if (!jobs.empty())
      tell(submission{std::move(jobs)});
  }

  /// Returns the messages since the last call.
  std::vector<message> take() { return std::exchange(messages_, {}); }

  /// Puts messages that were taken behind those that are here. They count once.
  void put_behind(std::vector<message> later) {
    std::ranges::move(later, std::back_inserter(messages_));
  }

  /// Counts the messages.
  std::uint64_t count() const { return count_; }

private:
  std::vector<message> messages_;
  std::uint64_t count_ = 0;
};

} // namespace troupe
