#pragma once

#include "model/cluster/catalog.hpp"
#include "settings/schema/settings.hpp"

#include <memory>

namespace troupe {

/// Reads the windows of the machines of a catalog, as `cluster.windows` names them; null if there
/// are none. `begin` is that of the run; null: it begins at 0 of the members' clock.
///
/// If a row asks for a number of machines, it gets the machines with the highest numbers that are
/// in no other window at that time; rows that name machines go first. Throws `std::runtime_error`
/// with a message for the user if the file cannot be read, or names machines that do not exist.
std::shared_ptr<const machine_windows> windows_of(const run_settings& settings,
                                                  const catalog& machines,
                                                  std::shared_ptr<const run_begin> begin = nullptr);

} // namespace troupe
