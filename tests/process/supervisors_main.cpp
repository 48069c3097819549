#include "process/supervisor/supervisor_server.hpp"

#include <cstdlib>
#include <filesystem>

/// Usage: test_supervisors --folder DIR --socket FD
int main(int count, char** words) {
  if (count != 5)
    return 2;
  std::filesystem::current_path(words[2]);
  troupe::serve_supervisors(std::atoi(words[4]));
}
