#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace troupe {

inline constexpr const char* result_name = "result.json";

/// Writes `text` into the file `name` in `directory`, which is made; an earlier one is replaced at
/// once or not at all. Throws `std::runtime_error` if it cannot.
void write_text(const std::filesystem::path& directory, const std::string& name,
                const std::string& text);

/// Writes an experiment's `result.json` into `directory`. Throws `std::runtime_error` if it cannot.
void write_result(const std::filesystem::path& directory, const nlohmann::ordered_json& result);

/// Reads it again. Throws `usage_error` if there is none.
nlohmann::ordered_json read_result(const std::filesystem::path& directory);

/// Returns the text of notes.md beside the experiment that `result` is of; empty if there is none.
std::string notes_for(const nlohmann::ordered_json& result);

} // namespace troupe
