#pragma once

#include "model/base/random.hpp"
#include "model/cluster/catalog.hpp"
#include "settings/schema/settings.hpp"

#include <boost/random/lognormal_distribution.hpp>

namespace troupe {

/// Returns an amount given in cores, GiB, cards and slots in whole units.
resources to_resources(double cpu, double memory, double gpu, std::int32_t slots);

/// Draws the scores of machines, one after the other.
class score_stream {
public:
  score_stream(const score_settings& settings, std::uint64_t seed);

  double next();

private:
  bool constant_;
  double mu_;
  random_stream random_;
  boost::random::lognormal_distribution<double> lognormal_;
};

/// Makes a catalog with the partitions, the unit and the other values of the settings; `classes`
/// are the shapes from which a unit is derived if the settings have none.
catalog make_catalog(std::vector<machine_info> machines, std::vector<machine_kind> kinds,
                     const std::vector<machine_class>& classes, const cluster_settings& settings,
                     const std::vector<task_class_settings>& task_classes,
                     const std::vector<described_machine>& described = {});

/// Makes the machines of a cluster as the settings describe them; their scores are drawn from a
/// stream of its own, so changes of other settings do not change the machines of a seed. Throws
/// `std::invalid_argument` if the settings contradict themselves. The machines are scored for the
/// given classes of tasks as well. Those that are described are as they say.
catalog build_catalog(const cluster_settings& settings, std::uint64_t seed,
                      const std::vector<task_class_settings>& task_classes = {},
                      const std::vector<described_machine>& described = {});

/// The most that a machine of a cluster that grows may have.
resources greatest_host();

/// Makes the places of a cluster that grows, as many as the settings allow machines.
catalog build_growing_catalog(const cluster_settings& settings, std::uint64_t seed);

/// Returns how many of `machines` each class gets, by its share: the largest remainders are rounded
/// up.
std::vector<std::uint32_t> class_sizes(const std::vector<machine_class>& classes,
                                       std::uint32_t machines);

} // namespace troupe
