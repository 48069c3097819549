#include "nodes/execution/service_connection.hpp"

#include <stdexcept>
#include <utility>

namespace troupe {

service_connection::service_connection(std::function<work_answer(const work_report&)> ask,
                                       std::function<void()> wake)
  : ask_(std::move(ask)), wake_(std::move(wake)), thread_([this] { work(); }) {}

service_connection::~service_connection() {
  {
    const std::lock_guard lock{mutex_};
    stops_ = true;
  }
  changes_.notify_all();
  thread_.join();
}

void service_connection::ask(work_report what) {
  asking_ = true;
  {
    const std::lock_guard lock{mutex_};
    question_ = std::move(what);
  }
  changes_.notify_all();
}

std::optional<service_connection::reply> service_connection::take() {
  const std::lock_guard lock{mutex_};
  if (!reply_)
    return std::nullopt;
  asking_ = false;
  return std::exchange(reply_, std::nullopt);
}

service_connection::reply service_connection::wait() {
  std::unique_lock lock{mutex_};
  changes_.wait(lock, [this] { return reply_.has_value(); });
  asking_ = false;
  return *std::exchange(reply_, std::nullopt);
}

void service_connection::work() {
  std::unique_lock lock{mutex_};
  for (;;) {
    changes_.wait(lock, [this] { return stops_ || question_; });
    if (!question_)
      return;
    reply told{*std::exchange(question_, std::nullopt), std::nullopt, {}};
    lock.unlock();
    try {
      told.answer = ask_(told.asked);
    } catch (const std::runtime_error& e) {
      told.error = e.what();
    }
    lock.lock();
    reply_ = std::move(told);
    changes_.notify_all();
    wake_();
  }
}

} // namespace troupe
