#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace troupe {

inline constexpr const char* result_name = "result.json";

/// Writes an experiment's `result.json` into `directory`. Throws `std::runtime_error` if it cannot.
void write_result(const std::filesystem::path& directory, const nlohmann::ordered_json& result);

/// Reads it again. Throws `usage_error` if there is none.
nlohmann::ordered_json read_result(const std::filesystem::path& directory);

/// Returns the text of notes.md beside the experiment that `result` is of; empty if there is none.
std::string notes_for(const nlohmann::ordered_json& result);

} // namespace troupe
