#include "cluster/parent.hpp"

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace troupe {

void end_with_parent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    std::raise(SIGKILL);
}

} // namespace troupe
