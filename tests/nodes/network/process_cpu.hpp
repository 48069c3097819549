#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <sys/types.h>
#include <unistd.h>

namespace troupe::test {

/// Sanitizers make everything several times as slow.
#ifdef TROUPE_SANITIZE
inline constexpr double cpu_allowance = 8;
#else
inline constexpr double cpu_allowance = 1;
#endif

/// Returns the processor time that a process has used so far, in seconds.
inline double cpu_seconds_of(pid_t pid) {
  std::ifstream in{"/proc/" + std::to_string(pid) + "/stat"};
  std::string text;
  std::getline(in, text, '\0');
  std::istringstream fields{text.substr(text.rfind(')') + 2)};
  std::string field;
  double ticks = 0;
  for (int number = 3; fields >> field; ++number)
    if (number == 14 || number == 15) // utime, stime
      ticks += std::stod(field);
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

} // namespace troupe::test
