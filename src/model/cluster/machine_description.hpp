#pragma once

#include "model/base/ids.hpp"
#include "model/base/resources.hpp"

#include <map>
#include <string>

namespace troupe {

/// A machine's description of itself.
struct machine_description {
  resources capacity;
  std::map<std::string, std::string> attributes;

  friend bool operator==(const machine_description&, const machine_description&) = default;
};

/// A machine whose own description replaces that of the settings.
struct described_machine {
  machine_id number = 0;
  machine_description is;
  bool vacant = false; ///< in a cluster that grows: the machine has left, and nobody has its place

  friend bool operator==(const described_machine&, const described_machine&) = default;
};

} // namespace troupe
