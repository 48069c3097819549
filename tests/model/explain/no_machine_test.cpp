#include "model/explain/no_machine.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

machine_description machine_of(std::int32_t cpu, std::int32_t memory, const std::string& zone) {
  machine_description m;
  m.capacity[resource::cpu] = cpu;
  m.capacity[resource::memory] = memory;
  m.attributes["zone"] = zone;
  return m;
}

resources demand_of(std::int32_t cpu, std::int32_t memory, std::int32_t gpu = 0) {
  resources r;
  r[resource::cpu] = cpu;
  r[resource::memory] = memory;
  r[resource::gpu] = gpu;
  return r;
}

} // namespace

TEST_CASE("it is told what no machine has") {
  const std::vector<machine_description> two{machine_of(4000, 1024, "a"),
                                             machine_of(1000, 8192, "b")};
  const auto why = [&](const resources& demand, const std::string& constraint = "") {
    return why_no_machine(two, demand,
                          constraint.empty() ? std::vector<troupe::constraint>{}
                                             : std::vector{parse_constraint(constraint)});
  };
  CHECK(why_no_machine({}, demand_of(1, 0), {}) == "no machine has joined");
  CHECK(why(demand_of(4000, 1024)).empty());
  CHECK(why(demand_of(4500, 0)) == "no machine has 4.5 cores");
  CHECK(why(demand_of(0, 9216)) == "no machine has 9 GiB");
  CHECK(why(demand_of(0, 0, 1000)) == "no machine has 1 GPU");
  CHECK(why(demand_of(1, 1), "zone == c") == "no machine meets zone == c");
  CHECK(why(demand_of(4000, 8192)) == "no machine has all that it asks for at once");
  CHECK(why(demand_of(4000, 0), "zone == b") == "no machine has all that it asks for at once");
}

TEST_CASE("it is told how much of a gang the machines hold") {
  const std::vector<machine_description> two{machine_of(4000, 1024, "a"),
                                             machine_of(1000, 8192, "b")};
  const auto why = [&](const resources& demand, std::uint32_t tasks,
                       const std::vector<constraint>& constraints = {}) {
    return why_no_room(two, demand, constraints, tasks);
  };
  CHECK(why(demand_of(1000, 0), 5).empty());
  CHECK(why(demand_of(1000, 0), 6) == "all machines together hold 5 of its 6 tasks");
  CHECK(why(demand_of(1000, 512), 4) == "all machines together hold 3 of its 4 tasks");
  CHECK(why(demand_of(1000, 0), 2, {parse_constraint("zone == b")}) ==
        "all machines together hold 1 of its 2 tasks");
  CHECK(why(demand_of(0, 0), 1'000'000).empty());
}
