#pragma once

#include "model/ids.hpp"
#include "model/resources.hpp"

#include <map>
#include <string>

namespace troupe {

/// What a machine says of itself.
struct machine_description {
  resources capacity;
  std::map<std::string, std::string> attributes;

  friend bool operator==(const machine_description&, const machine_description&) = default;
};

/// A machine that is not as the settings have it, but as it says.
struct described_machine {
  machine_id number = 0;
  machine_description is;

  friend bool operator==(const described_machine&, const described_machine&) = default;
};

} // namespace troupe
