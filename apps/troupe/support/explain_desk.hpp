#pragma once

#include "web/message.hpp"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace troupe {

/// A question about a task of a run that goes on.
struct task_question {
  bool why_not = false; ///< else: explain
  std::string task;     ///< as `troupe explain` takes it
  std::string machine;  ///< why-not: the machine; empty: all
  std::string at;       ///< why-not: the time in the run; empty: now

  bool operator==(const task_question&) const = default;
};

/// Returns what is wrong with a question, or an empty text. What it accepts is safe as words of a
/// command.
std::string why_no_question(const task_question& q);

/// The question in a request to `/api/v1/explain` or `/api/v1/why-not`.
task_question question_in(const web_request& request, bool why_not);

/// Answers questions about the tasks of a run while it goes on, one at a time, each by a process
/// `troupe explain` or `troupe why-not`: the run and its server do not wait for it, and do not fail
/// with it. All functions may be called from any thread.
class explain_desk {
public:
  /// Where the answers come from.
  struct sources {
    std::string config; ///< the settings of the run, as TOML
    /// More words of the command, as of now, such as "--until" and a time. Called in the desk's
    /// thread.
    std::function<std::vector<std::string>()> words{};
    /// The results directory with the records of the run so far; empty: the run is made again.
    std::filesystem::path records{};
    /// Asks for the records of ends so far to be written; returns what tells whether they are. May
    /// be empty. Both are called in the desk's thread.
    std::function<std::function<bool()>()> write_records{};
  };

  /// Limits of time.
  struct patience {
    std::chrono::milliseconds reply{8'000};    ///< before "still at work" (202)
    std::chrono::milliseconds answer{120'000}; ///< before a question is given up (504)
  };

  explicit explain_desk(sources from);
  explain_desk(sources from, patience limits);
  explain_desk(const explain_desk&) = delete;
  explain_desk& operator=(const explain_desk&) = delete;

  /// Ends the process of a question under way.
  ~explain_desk();

  using answer_function = std::function<void(web_response)>;

  /// Answers with 200 and the JSON of the command; with 202 if it is still at work, and the same
  /// question will get the answer then; with 400 or 404 and the reason; with 503 if another
  /// question, for which somebody waits, is under way; with 504 if it takes too long.
  void ask(const task_question& q, answer_function done);

private:
  struct job;

  void work();
  void start(job& of);
  void look_at(job& of);
  bool is_written(job& of);
  void settle(job& of, web_response answer);

  sources from_;
  patience limits_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unique_ptr<job> job_;                ///< the last question; guarded by mutex_, as all below
  std::vector<std::unique_ptr<job>> ended_; ///< whose processes are to be ended
  bool stop_ = false;
  std::thread thread_;
};

} // namespace troupe
