#include "process/base/host_clock.hpp"

#include <fstream>

namespace troupe {

std::string boot_id() {
  std::ifstream in{"/proc/sys/kernel/random/boot_id"};
  std::string id;
  in >> id;
  return id;
}

} // namespace troupe
