#include "settings/allowed.hpp"
#include "settings/check.hpp"

#include <algorithm>
#include <set>

namespace troupe {

namespace {

bool offers_nothing(const machine_class& c) {
  return c.cpu == 0 && c.memory == 0 && c.gpu == 0 && c.slots == 0;
}

void check_classes(const std::vector<machine_class>& classes, problems& found) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto path = "cluster.classes." + std::to_string(i);
    if (!names.insert(classes[i].name).second)
      found.conflict("", path + ".name", '"' + classes[i].name + '"',
                     "a name that no other class has");
    if (offers_nothing(classes[i]))
      found.wrong(path, "without resources", "more than 0 of cpu, memory, gpu or slots");
  }
}

void check_unit(const cluster_settings& s, problems& found) {
  const auto any = [&](auto member) {
    return std::ranges::any_of(s.classes, [&](const auto& c) { return c.*member > 0; });
  };
  const auto check = [&](const char* name, double asked, bool offered) {
    if (asked > 0 && !offered)
      found.wrong("cluster.unit." + std::string(name), to_text(asked), "0, for no machine has any");
  };
  check("cpu", s.unit_cpu, any(&machine_class::cpu));
  check("memory", s.unit_memory, any(&machine_class::memory));
  check("gpu", s.unit_gpu, any(&machine_class::gpu));
  check("slots", s.unit_slots, s.classes.empty() || any(&machine_class::slots));

  const bool none = s.unit_cpu == 0 && s.unit_memory == 0 && s.unit_gpu == 0 && s.unit_slots == 0;
  if (none && !s.classes.empty() && !any(&machine_class::slots) && !any(&machine_class::cpu))
    found.wrong("cluster.unit", "all zero",
                "more than 0 of what the machines offer, as they have neither slots nor cpu");
}

} // namespace

void check_cluster(const cluster_settings& s, problems& found) {
  if (s.partitions > s.machines)
    found.conflict("", "cluster.partitions", std::to_string(s.partitions),
                   "1 .. " + std::to_string(s.machines) + ", the number of machines",
                   {"cluster.machines"});
  else if (s.owners > s.partitions)
    found.conflict("", "cluster.owners", std::to_string(s.owners),
                   "1 .. " + std::to_string(s.partitions) + ", the number of partitions",
                   {"cluster.partitions"});
  check_classes(s.classes, found);
  check_unit(s, found);
}

} // namespace troupe
