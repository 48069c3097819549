#include "experiments/expectations/formulas.hpp"

#include <cmath>
#include <stdexcept>

namespace troupe {

double erlang_c_wait(double servers, double load) {
  if (!(servers >= 1) || servers != std::floor(servers) || !(load >= 0) || !(load < 1))
    throw std::domain_error(
      "erlang_c(servers, load) needs a whole number of servers from 1 and a load in [0, 1)");
  const double offered = servers * load;
  double blocked = 1; // Erlang B, by its recursion in the number of servers
  for (double n = 1; n <= servers; ++n)
    blocked = offered * blocked / (n + offered * blocked);
  const double waits = blocked / (1 - load * (1 - blocked));
  return waits / (servers * (1 - load));
}

} // namespace troupe
