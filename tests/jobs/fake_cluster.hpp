#pragma once

#include "jobs/http/job_routes.hpp"
#include "jobs/service/job_service.hpp"
#include "jobs/spec/attempt_spec.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace troupe::test {

/// A scheduling layer with one machine, on which a few commands work: true, false, echo WORDS (to
/// standard output), hold (until it is cancelled); others do not exist.
class fake_cluster {
public:
  explicit fake_cluster(job_service& service) : service_(service) {
    service_.on_new([this] { wake(); });
    thread_ = std::thread{[this] { run(); }};
  }
  fake_cluster(const fake_cluster&) = delete;
  fake_cluster& operator=(const fake_cluster&) = delete;

  ~fake_cluster() {
    service_.on_new(nullptr);
    stop_ = true;
    wake();
    thread_.join();
  }

  /// Forgets what commands have written.
  void remove_outputs() {
    const std::lock_guard lock{mutex_};
    removed_ = true;
  }

  output_reader reader() {
    return [this](const attempt_row& of, bool errors, std::uint64_t offset, std::uint32_t limit,
                  const std::function<void(std::optional<found_output>)>& answer) {
      const std::lock_guard lock{mutex_};
      found_output found{!removed_, offset, 0, {}};
      if (const auto it = outputs_.find(of.which); it != outputs_.end() && !errors) {
        found.size = it->second.size();
        found.bytes = it->second.substr(std::min<std::size_t>(offset, it->second.size()), limit);
      }
      answer(away_ ? std::nullopt : std::optional{found});
    };
  }

  /// The node does not answer any more.
  void go_away() {
    const std::lock_guard lock{mutex_};
    away_ = true;
  }

private:
  void wake() {
    const std::lock_guard lock{mutex_};
    news_ = true;
    wakes_.notify_all();
  }

  void run() {
    std::vector<task_id> wants;
    while (!stop_) {
      for (const auto& made : service_.take_new())
        for (std::uint32_t i = 0; i < made.task_count(); ++i)
          wants.push_back({made.id, i});
      work_report report{"node-0", 1, "machine", wants, held_, ended_};
      const auto answer = service_.hear(report);
      for (const auto& which : answer.seen)
        std::erase_if(ended_, [&](const attempt_end& e) { return e.which == which; });
      for (const auto& permit : answer.permits) {
        if (permit.verdict == start_verdict::wait)
          continue;
        std::erase(wants, permit.as);
        if (permit.verdict == start_verdict::run)
          start(read_attempt_spec(permit.spec));
      }
      for (const auto& stop : answer.stops)
        if (std::erase(held_, stop.which) > 0)
          end(stop.which, stop.reason, -1);
      std::unique_lock lock{mutex_};
      if (ended_.empty() && !stop_)
        wakes_.wait_for(lock, std::chrono::milliseconds{20}, [this] { return news_ || stop_; });
      news_ = false;
    }
  }

  void start(const attempt_spec& spec) {
    const auto& program = spec.argv[0];
    if (program == "hold") {
      held_.push_back(spec.which);
      return;
    }
    if (program == "echo") {
      std::string text;
      for (std::size_t i = 1; i < spec.argv.size(); ++i)
        text += (i > 1 ? " " : "") +
                (spec.argv[i] == "$TROUPE_TASK_ID" ? spec.env.at("TROUPE_TASK_ID") : spec.argv[i]);
      const std::lock_guard lock{mutex_};
      outputs_[spec.which] = text + '\n';
    }
    const bool exists = program == "echo" || program == "true" || program == "false";
    end(spec.which, exists ? end_reason::none : end_reason::exec_failed,
        !exists              ? -1
        : program == "false" ? 1
                             : 0);
  }

  void end(const attempt_key& which, end_reason reason, int code) {
    attempt_end e;
    e.which = which;
    e.reason = reason;
    e.exit_code = code;
    e.started_ns = e.ended_ns = 1'700'000'000'000'000'000;
    if (reason == end_reason::exec_failed)
      e.detail = "exec: No such file or directory";
    ended_.push_back(e);
  }

  job_service& service_;
  std::vector<attempt_key> held_;
  std::vector<attempt_end> ended_;
  std::mutex mutex_;
  std::condition_variable wakes_;
  bool news_ = false;
  bool removed_ = false;
  bool away_ = false;
  std::map<attempt_key, std::string> outputs_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

} // namespace troupe::test
