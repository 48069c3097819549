#include "settings/checks/check.hpp"
#include "settings/schema/allowed.hpp"

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
    check_label(classes[i].name, path + ".name", found);
    if (!names.insert(classes[i].name).second)
      found.conflict("", path + ".name", '"' + classes[i].name + '"',
                     "a name that no other class has");
    if (offers_nothing(classes[i]))
      found.wrong(path, "without resources", "more than 0 of cpu, memory, gpu or slots");
  }
}

/// Amounts in a table of [cluster].
struct asked_amounts {
  std::string table;
  double cpu = 0;
  double memory = 0;
  double gpu = 0;
  std::int32_t slots = 0;

  bool none() const { return cpu == 0 && memory == 0 && gpu == 0 && slots == 0; }
};

/// Reports a demand for a resource that no machine has.
void check_offered(const cluster_settings& s, const asked_amounts& asked, problems& found) {
  const auto any = [&](auto member) {
    return std::ranges::any_of(s.classes, [&](const auto& c) { return c.*member > 0; });
  };
  const auto check = [&](const char* name, double amount, bool offered) {
    if (amount > 0 && !offered && s.classes.empty() && found.document_has("cluster.trace.file"))
      found.wrong("cluster.trace.file", "\"\"",
                  "the path of a trace's table of machines, as in --set cluster.trace.file=PATH");
    else if (amount > 0 && !offered)
      found.wrong(asked.table + name, to_text(amount), "0, as no machine has any");
  };
  check(".cpu", asked.cpu, any(&machine_class::cpu));
  check(".memory", asked.memory, any(&machine_class::memory));
  check(".gpu", asked.gpu, any(&machine_class::gpu));
  check(".slots", asked.slots, s.classes.empty() || any(&machine_class::slots));
}

void check_unit(const cluster_settings& s, problems& found) {
  const asked_amounts unit{"cluster.unit", s.unit_cpu, s.unit_memory, s.unit_gpu, s.unit_slots};
  check_offered(s, unit, found);
  check_offered(
    s, {"cluster.fragment", s.fragment_cpu, s.fragment_memory, s.fragment_gpu, s.fragment_slots},
    found);
  const bool counted = s.classes.empty() || std::ranges::any_of(s.classes, [](const auto& c) {
                         return c.slots > 0 || c.cpu > 0;
                       });
  if (unit.none() && !counted)
    found.wrong(
      "cluster.unit", "all zero",
      "more than 0 of a resource that the machines have, as they have neither slots nor cpu");
}

} // namespace

void check_cluster(const cluster_settings& s, problems& found) {
  const bool from_trace = !s.trace.file.empty();
  if (from_trace && !s.classes.empty())
    found.conflict("", "cluster.classes", std::to_string(s.classes.size()) + " classes",
                   "none, as the machines are those of cluster.trace.file", {"cluster.trace.file"});
  if (s.partitions > s.machines && !from_trace)
    found.conflict("", "cluster.partitions", std::to_string(s.partitions),
                   "1 .. " + std::to_string(s.machines) + ", the number of machines",
                   {"cluster.machines"});
  else if (s.owners > s.partitions)
    found.conflict("", "cluster.owners", std::to_string(s.owners),
                   "1 .. " + std::to_string(s.partitions) + ", the number of partitions",
                   {"cluster.partitions"});
  check_classes(s.classes, found);
  if (!from_trace)
    check_unit(s, found);
}

} // namespace troupe
