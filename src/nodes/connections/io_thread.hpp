#pragma once

#include "nodes/connections/asio.hpp"

#include <future>
#include <thread>

namespace troupe {

/// The thread that serves all connections of a process. All code in this folder runs in it unless
/// its comment states otherwise.
class io_thread {
public:
  io_thread();
  io_thread(const io_thread&) = delete;
  io_thread& operator=(const io_thread&) = delete;

  /// Waits until all connections have sent their remaining bytes and are closed, for two seconds at
  /// most, and ends the thread.
  ~io_thread();

  asio::io_context& context() { return context_; }

private:
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
  std::promise<void> idle_;
  std::thread thread_;
};

} // namespace troupe
