#include "support/run_watchdog.hpp"

#include "support/signals.hpp"

#include <csignal>
#include <cstdio>
#include <unistd.h>

namespace troupe {

namespace {

constexpr std::chrono::milliseconds period{50}; ///< between two checks

} // namespace

run_watchdog::run_watchdog(std::chrono::milliseconds patience)
  : patience_{patience}, where_{[] { return "while the cluster was being built"; }} {
  // Only the thread of the run handles signals.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread{[this] { look(); }};
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

run_watchdog::~run_watchdog() {
  {
    const std::lock_guard lock{mutex_};
    done_ = true;
  }
  over_.notify_one();
  thread_.join();
}

void run_watchdog::watch(std::function<std::string()> where) {
  const std::lock_guard lock{mutex_};
  where_ = std::move(where);
}

void run_watchdog::end(const std::string& where) {
  std::fprintf(stderr, "\ntroupe: ended by signal %d: the run was %s\n", caught_signal(),
               where.c_str());
  _exit(128 + caught_signal());
}

void run_watchdog::look() {
  std::unique_lock lock{mutex_};
  std::chrono::milliseconds waited{0};
  while (!done_) {
    over_.wait_for(lock, period);
    if (caught_signal() == 0)
      continue;
    waited += period;
    if (!done_ && where_ && waited > patience_)
      end("busy " + where_() + "; there are no results");
  }
}

} // namespace troupe
