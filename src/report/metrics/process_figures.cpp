#include "report/metrics/metric_table.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace troupe {

namespace {

/// When this process was started, in s since 1970: the kernel counts in ticks since it booted.
double start_of_process() {
  std::ifstream stat{"/proc/self/stat"};
  std::string text{std::istreambuf_iterator<char>{stat}, {}};
  const auto end_of_name = text.rfind(')');
  if (end_of_name == std::string::npos)
    return 0;
  std::size_t at = end_of_name + 1;
  for (int field = 0; field < 19 && at != std::string::npos; ++field) // starttime is the 22nd
    at = text.find(' ', at + 1);
  std::ifstream up{"/proc/uptime"};
  double since_boot = 0;
  if (at == std::string::npos || !(up >> since_boot))
    return 0;
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  const auto ticks = static_cast<double>(std::strtoull(text.c_str() + at, nullptr, 10));
  return now.count() - since_boot + ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace

process_figures process_figures::read() {
  process_figures p;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  p.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  std::ifstream memory{"/proc/self/statm"};
  double total = 0;
  double resident = 0;
  memory >> total >> resident;
  p.resident_bytes = resident * static_cast<double>(sysconf(_SC_PAGESIZE));
  std::error_code none;
  for (std::filesystem::directory_iterator fd{"/proc/self/fd", none}, end; !none && fd != end;
       fd.increment(none))
    ++p.open_files;
  static const double started = start_of_process();
  p.started_at = started;
  return p;
}

} // namespace troupe
