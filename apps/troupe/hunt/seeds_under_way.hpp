#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace troupe {

/// The running seeds. If the program crashes, prints them; reports a seed that takes long on
/// standard error. Only one such object exists at a time.
class seeds_under_way {
public:
  explicit seeds_under_way(unsigned workers);
  ~seeds_under_way();

  seeds_under_way(const seeds_under_way&) = delete;
  seeds_under_way& operator=(const seeds_under_way&) = delete;

  void begin(unsigned worker, std::uint64_t seed);
  void end(unsigned worker);

private:
  void tell_slow_ones();

  struct slot {
    std::atomic<std::uint64_t> seed{0};
    std::atomic<std::int64_t> since{0}; ///< in s of the steady clock; 0: idle
  };

  friend void tell_crash(int);

  std::vector<slot> slots_;
  std::atomic<bool> over_{false};
  std::thread watcher_;
};

} // namespace troupe
