#include "nodes/agent/process_usage.hpp"

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace troupe {

std::uint64_t resident_memory() {
  std::ifstream in{"/proc/self/statm"};
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  in >> total >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::chrono::duration<std::uint64_t, std::milli> cpu_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& t) {
    return static_cast<std::uint64_t>(t.tv_sec) * 1000 +
           static_cast<std::uint64_t>(t.tv_usec) / 1000;
  };
  return std::chrono::duration<std::uint64_t, std::milli>{ms(usage.ru_utime) + ms(usage.ru_stime)};
}

} // namespace troupe
