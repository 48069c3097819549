#include "runtime/swarm/swarm_seeds.hpp"

TEST_CASE("every self-check passes in a swarm in real time") {
  troupe::test::check_swarm_seeds(troupe::swarm_mode::real, 1, 2);
}
