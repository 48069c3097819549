#pragma once

#include "model/protocol/protocol.hpp"

namespace troupe {

/// Returns whether a commit settles what an earlier one holds.
constexpr bool settles(commit_mode mode) {
  return mode == commit_mode::launch || mode == commit_mode::release;
}

} // namespace troupe
