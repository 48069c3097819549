#include "support/signals.hpp"

#include <atomic>
#include <csignal>

namespace troupe {

namespace {

std::atomic<int> first_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note_signal(int number) {
  int none = 0;
  const int counts_as = number == SIGHUP ? SIGTERM : number;
  if (first_signal.compare_exchange_strong(none, counts_as) || number == SIGHUP)
    return;
  std::signal(number, SIG_DFL);
  std::raise(number);
}

std::atomic<bool> hangup{false};
bool hangup_is_watched = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void note_hangup(int) {
  hangup = true;
}

} // namespace

void watch_signals() {
  struct sigaction how {};
  how.sa_handler = note_signal;
  sigemptyset(&how.sa_mask);
  how.sa_flags = SA_RESTART;
  sigaction(SIGINT, &how, nullptr);
  sigaction(SIGTERM, &how, nullptr);
  struct sigaction before {};
  if (!hangup_is_watched && sigaction(SIGHUP, nullptr, &before) == 0 &&
      before.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &how, nullptr);
}

void survive_closed_pipes() {
  struct sigaction how {};
  how.sa_handler = [](int) {};
  sigemptyset(&how.sa_mask);
  how.sa_flags = SA_RESTART;
  sigaction(SIGPIPE, &how, nullptr);
}

void watch_hangups() {
  hangup_is_watched = true;
  struct sigaction how {};
  how.sa_handler = note_hangup;
  sigemptyset(&how.sa_mask);
  how.sa_flags = SA_RESTART;
  sigaction(SIGHUP, &how, nullptr);
}

bool take_hangup() {
  return hangup.exchange(false);
}

int caught_signal() {
  return first_signal.load();
}

} // namespace troupe
