#pragma once

#include "cli/process.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace troupe::test {

/// Returns the summary that a run has written to `directory`.
inline nlohmann::json summary_in(const std::filesystem::path& directory) {
  return nlohmann::json::parse(read_file(directory / "summary.json"));
}

} // namespace troupe::test
