#include "process/supervisor/supervisor_server.hpp"

#include <cstdlib>
#include <filesystem>

/// Usage: test_supervisors PID --folder DIR --socket FD
int main(int count, char** words) {
  if (count != 6)
    return 2;
  std::filesystem::current_path(words[3]);
  troupe::serve_supervisors(std::atoi(words[5]), std::atoi(words[1]));
}
