#include "hunt/seeds_under_way.hpp"

#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <unistd.h>

namespace troupe {

namespace {

constexpr std::int64_t long_time = 30; ///< s

std::atomic<seeds_under_way*> current_seeds{nullptr};

std::int64_t clock_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
           std::chrono::steady_clock::now().time_since_epoch())
    .count();
}

void write_number(std::uint64_t n) {
  char digits[24];
  auto* at = digits + sizeof digits;
  *--at = '\n';
  do
    *--at = static_cast<char>('0' + n % 10);
  while ((n /= 10) > 0);
  [[maybe_unused]] const auto written =
    ::write(2, at, static_cast<std::size_t>(digits + sizeof digits - at));
}

} // namespace

void tell_crash(int number) {
  if (const auto* all = current_seeds.load())
    for (const auto& s : all->slots_)
      if (s.since > 0) {
        constexpr char text[] = "the program crashes while it runs seed ";
        [[maybe_unused]] const auto written = ::write(2, text, sizeof text - 1);
        write_number(s.seed);
      }
  std::signal(number, SIG_DFL);
  std::raise(number);
}

seeds_under_way::seeds_under_way(unsigned workers) : slots_(workers) {
  current_seeds = this;
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS})
    std::signal(number, tell_crash);
  watcher_ = std::thread{[this] { tell_slow_ones(); }};
}

seeds_under_way::~seeds_under_way() {
  over_ = true;
  watcher_.join();
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS})
    std::signal(number, SIG_DFL);
  current_seeds = nullptr;
}

void seeds_under_way::begin(unsigned worker, std::uint64_t seed) {
  slots_[worker].seed = seed;
  slots_[worker].since = clock_seconds();
}

void seeds_under_way::end(unsigned worker) {
  slots_[worker].since = 0;
}

void seeds_under_way::tell_slow_ones() {
  while (!over_) {
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    for (auto& s : slots_)
      if (s.since > 0 && clock_seconds() - s.since > long_time) {
        std::cerr << "seed " << s.seed << " has been running for " << long_time << " s"
                  << std::endl;
        s.since = clock_seconds();
      }
  }
}

} // namespace troupe
