#include "runtime/cluster/build_catalog.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace troupe {

namespace {

std::int32_t whole(double x) {
  return static_cast<std::int32_t>(std::lround(x));
}

resources capacity_of(const machine_class& c) {
  return to_resources(c.cpu, c.memory, c.gpu, c.slots);
}

/// One slot if there are slots, else one core with the cluster's memory per core, else one unit of
/// the first resource that the machines have.
resources default_unit(const std::vector<machine_class>& classes) {
  double cpu = 0;
  double memory = 0;
  bool slots = false;
  for (const auto& c : classes) {
    cpu += c.share * c.cpu;
    memory += c.share * c.memory;
    slots = slots || c.slots > 0;
  }
  if (slots)
    return resources::of_slots(1);
  if (cpu > 0)
    return to_resources(1, memory / cpu, 0, 0);
  return memory > 0 ? to_resources(0, 1, 0, 0) : to_resources(0, 0, 1, 0);
}

std::vector<task_class> to_classes(const std::vector<task_class_settings>& settings) {
  std::vector<task_class> classes;
  for (const auto& s : settings) {
    auto& added = classes.emplace_back(task_class{s.name, {}});
    for (const auto& [text, weight] : s.prefers)
      added.prefers.push_back({parse_constraint(text), weight});
  }
  return classes;
}

} // namespace

resources to_resources(double cpu, double memory, double gpu, std::int32_t slots) {
  resources r;
  r[resource::cpu] = whole(cpu * 1000);
  r[resource::memory] = whole(memory * 1024);
  r[resource::gpu] = whole(gpu * 1000);
  r[resource::slots] = slots;
  return r;
}

std::vector<std::uint32_t> class_sizes(const std::vector<machine_class>& classes,
                                       std::uint32_t machines) {
  double total = 0;
  for (const auto& c : classes)
    total += c.share;
  std::vector<std::uint32_t> sizes;
  std::vector<double> remainders;
  std::uint32_t given = 0;
  for (const auto& c : classes) {
    const double exact = machines * c.share / total;
    sizes.push_back(static_cast<std::uint32_t>(exact));
    remainders.push_back(exact - std::floor(exact));
    given += sizes.back();
  }
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return remainders[a] > remainders[b]; });
  for (std::size_t i = 0; given < machines; ++i, ++given)
    ++sizes[order[i % order.size()]];
  return sizes;
}

score_stream::score_stream(const score_settings& settings, std::uint64_t seed)
  : constant_(settings.distribution == score_distribution::constant || settings.sigma == 0),
    mu_(settings.mu),
    random_(random_stream::derive(seed, "score", 0)),
    lognormal_(settings.mu, settings.sigma) {}

double score_stream::next() {
  return constant_ ? std::exp(mu_) : lognormal_(random_);
}

catalog make_catalog(std::vector<machine_info> machines, std::vector<machine_kind> kinds,
                     const std::vector<machine_class>& classes, const cluster_settings& settings,
                     const std::vector<task_class_settings>& task_classes,
                     const std::vector<described_machine>& described) {
  auto unit =
    to_resources(settings.unit_cpu, settings.unit_memory, settings.unit_gpu, settings.unit_slots);
  if (unit.is_zero())
    unit = default_unit(classes);
  return {std::move(machines),
          std::move(kinds),
          settings.partitions,
          unit,
          to_classes(task_classes),
          to_resources(settings.fragment_cpu, settings.fragment_memory, settings.fragment_gpu,
                       settings.fragment_slots),
          described};
}

catalog build_catalog(const cluster_settings& settings, std::uint64_t seed,
                      const std::vector<task_class_settings>& task_classes,
                      const std::vector<described_machine>& described) {
  auto classes = settings.classes;
  if (classes.empty()) {
    classes.emplace_back();
    classes.back().slots = settings.slots;
  }
  score_stream scores{settings.score, seed};
  std::vector<machine_info> machines;
  std::vector<machine_kind> kinds;
  machines.reserve(settings.machines);
  const auto sizes = class_sizes(classes, settings.machines);
  for (std::uint32_t k = 0; k < classes.size(); ++k) {
    kinds.push_back({classes[k].name, classes[k].attributes});
    for (std::uint32_t i = 0; i < sizes[k]; ++i)
      machines.push_back({capacity_of(classes[k]), scores.next(), k});
  }
  return make_catalog(std::move(machines), std::move(kinds), classes, settings, task_classes,
                      described);
}

resources greatest_host() {
  return to_resources(1024, 16.0 * 1024, 64, 1024);
}

catalog build_growing_catalog(const cluster_settings& settings, std::uint64_t seed) {
  score_stream scores{settings.score, seed};
  std::vector<machine_info> places;
  places.reserve(settings.machines);
  for (std::uint32_t i = 0; i < settings.machines; ++i)
    places.push_back({greatest_host(), scores.next(), 0});
  auto classes = settings.classes;
  if (classes.empty()) {
    classes.emplace_back(); // the unit is a slot, of which a host has one for each core
    classes.back().slots = 1;
  }
  auto made = make_catalog(std::move(places), {{"place", {}}}, classes, settings, {});
  made.let_grow();
  return made;
}

} // namespace troupe
