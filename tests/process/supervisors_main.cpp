#include "process/supervisor/supervisor_server.hpp"

#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <unistd.h>

/// Takes the place of the one of the C library: while there is a file "full" in the working
/// directory, the table of processes is full.
extern "C" pid_t fork() {
  if (access("full", F_OK) == 0) {
    errno = EAGAIN;
    return -1;
  }
  static const auto real = reinterpret_cast<pid_t (*)()>(dlsym(RTLD_NEXT, "fork"));
  return real();
}

/// Usage: test_supervisors PID --folder DIR --socket FD
int main(int count, char** words) {
  if (count != 6)
    return 2;
  std::filesystem::current_path(words[3]);
  troupe::serve_supervisors(std::atoi(words[5]), std::atoi(words[1]));
}
