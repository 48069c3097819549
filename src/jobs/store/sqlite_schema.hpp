#pragma once

#include <string_view>
#include <vector>

namespace troupe {

/// The SQL that brings a store of SQLite from version N to N + 1, for each N from 0. Stores of all
/// versions exist: a step is never changed.
const std::vector<std::string_view>& schema_steps();

} // namespace troupe
