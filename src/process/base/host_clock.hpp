#pragma once

#include <cstdint>
#include <ctime>
#include <string>

namespace troupe {

/// Nanoseconds since the host was started; it also runs while the host is suspended, and never
/// steps.
inline std::int64_t boot_clock_ns() {
  timespec t{};
  clock_gettime(CLOCK_BOOTTIME, &t);
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

/// Nanoseconds since 1970, by the host's clock.
inline std::int64_t host_utc_ns() {
  timespec t{};
  clock_gettime(CLOCK_REALTIME, &t);
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

/// Identifies this start of the host: another one after a reboot. Empty if the kernel does not say.
std::string boot_id();

} // namespace troupe
