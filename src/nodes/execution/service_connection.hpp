#pragma once

#include "jobs/protocol/work_exchange.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace troupe {

/// Asks the job service, one question at a time, in a thread of its own: meanwhile commands start
/// and end. To be used by one thread.
class service_connection {
public:
  struct reply {
    work_report asked;
    std::optional<work_answer> answer; ///< none: the service has not answered
    std::string error;                 ///< then: why
  };

  /// `ask` throws `std::runtime_error` if the service does not answer. `wake` is called, by the
  /// thread, when there is a reply.
  service_connection(std::function<work_answer(const work_report&)> ask,
                     std::function<void()> wake);
  service_connection(const service_connection&) = delete;
  service_connection& operator=(const service_connection&) = delete;

  /// Waits for the reply to the present question.
  ~service_connection();

  /// Asks; only while no question is under way.
  void ask(work_report what);

  /// Returns whether a question was asked whose reply has not been taken.
  bool is_asking() const { return asking_; }

  /// The reply, if it is there.
  std::optional<reply> take();

  /// Waits for the reply to the question that is under way.
  reply wait();

private:
  void work();

  const std::function<work_answer(const work_report&)> ask_;
  const std::function<void()> wake_;
  bool asking_ = false;

  std::mutex mutex_; ///< guards the following members
  std::condition_variable changes_;
  std::optional<work_report> question_;
  std::optional<reply> reply_;
  bool stops_ = false;

  std::thread thread_;
};

} // namespace troupe
