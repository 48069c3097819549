#include "nodes/connections/io_thread.hpp"

namespace troupe {

namespace {

constexpr auto end_patience = std::chrono::seconds{2};

} // namespace

io_thread::io_thread()
  : thread_([this] {
      context_.run();
      idle_.set_value();
    }) {}

io_thread::~io_thread() {
  work_.reset();
  if (idle_.get_future().wait_for(end_patience) == std::future_status::timeout)
    context_.stop();
  thread_.join();
}

} // namespace troupe
