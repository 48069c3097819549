#include "runtime/cluster/traced_cluster.hpp"

#include "model/jobs/constraint.hpp"
#include "runtime/cluster/build_catalog.hpp"
#include "runtime/cluster/windows_of.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace troupe {

traced_cluster build_traced_cluster(const machine_table& table, const cluster_settings& settings,
                                    std::uint64_t seed,
                                    const std::vector<task_class_settings>& task_classes) {
  std::vector<machine_info> machines;
  std::vector<machine_class> classes; // only to find a unit
  machines.reserve(table.machines.size());
  score_stream scores{settings.score, seed};
  for (std::uint32_t row = 0; row < table.machines.size(); ++row) {
    const auto& m = table.machines[row];
    machines.push_back({m.greatest, scores.next(), m.kind, row});
    const auto& has = m.greatest;
    auto& c = classes.emplace_back();
    c.cpu = has[resource::cpu] / 1000.0;
    c.memory = has[resource::memory] / 1024.0;
    c.gpu = has[resource::gpu] / 1000.0;
    c.slots = has[resource::slots];
  }
  traced_cluster made{
    make_catalog(std::move(machines), table.kinds, classes, settings, task_classes), {}};
  std::vector<machine_id> id_of(table.machines.size());
  for (machine_id m = 0; m < made.machines.machines(); ++m)
    id_of[made.machines.machine(m).row] = m;
  for (std::uint32_t row = 0; row < table.machines.size(); ++row)
    if (const auto& m = table.machines[row]; m.at_begin != m.greatest)
      made.changes.push_back({instant{0}, {id_of[row], m.at_begin}});
  for (const auto& change : table.changes)
    made.changes.push_back({change.at, {id_of[change.machine], change.capacity}});
  return made;
}

namespace {

traced_cluster build_bare(const run_settings& settings,
                          const std::vector<described_machine>& described) {
  const auto& cluster = settings.cluster;
  if (settings.runs_commands())
    return {build_growing_catalog(cluster, settings.seed), {}};
  if (cluster.trace.file.empty())
    return {build_catalog(cluster, settings.seed, settings.task_classes, described), {}};
  if (!described.empty())
    throw std::runtime_error{"[cluster.trace] file = \"" + cluster.trace.file +
                             "\": the machines of a trace are emulated, so no node can be one"};
  return build_traced_cluster(read_machines(cluster.trace), cluster, settings.seed,
                              settings.task_classes);
}

/// Refuses a class of tasks that prefers what no machine of a trace has.
void check_preferences(const run_settings& settings, const machine_table& table) {
  for (const auto& c : settings.task_classes)
    for (const auto& [text, weight] : c.prefers) {
      const auto attribute = parse_constraint(text).attribute;
      if (std::ranges::none_of(table.kinds, [&](const machine_kind& kind) {
            return kind.attributes.contains(attribute);
          }))
        throw std::runtime_error{"[[task_classes]] '" + c.name + "' prefers \"" + text +
                                 "\", but no machine of " + settings.cluster.trace.file +
                                 " has the attribute '" + attribute +
                                 "'; expected one that some machine has"};
    }
}

} // namespace

traced_cluster build_machines(const run_settings& settings,
                              const std::vector<described_machine>& described,
                              std::shared_ptr<const run_begin> begin) {
  auto made = build_bare(settings, described);
  made.machines.set_windows(windows_of(settings, made.machines, std::move(begin)));
  return made;
}

std::vector<capacity_schedule> schedules_of(const traced_cluster& cluster) {
  std::vector<capacity_schedule> all;
  for (const auto& [at, what] : cluster.changes) {
    all.resize(cluster.machines.machines());
    all[what.machine].add(at, what.capacity);
  }
  return all;
}

void resolve_machines(run_settings& settings) {
  auto& cluster = settings.cluster;
  if (cluster.trace.file.empty()) {
    if (!cluster.windows.empty())
      build_machines(settings);
    return;
  }
  const auto table = read_machines(cluster.trace);
  cluster.machines = static_cast<std::uint32_t>(table.machines.size());
  if (cluster.partitions > cluster.machines)
    throw std::runtime_error{"[cluster] partitions = " + std::to_string(cluster.partitions) +
                             " are more than the " + std::to_string(cluster.machines) +
                             " machines of " + cluster.trace.file};
  check_preferences(settings, table);
  if (!cluster.windows.empty())
    build_machines(settings);
}

} // namespace troupe
