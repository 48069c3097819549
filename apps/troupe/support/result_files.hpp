#pragma once

#include "report/results/directory_lock.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>

namespace troupe {

inline constexpr const char* result_name = "result.json";

/// A directory that is kept from other processes.
struct held_directory {
  std::filesystem::path path;
  directory_lock lock;
};

/// Creates and keeps `out`, the value of --out of `command`; throws `usage_error` if another
/// process uses it. If `out` is empty, keeps the first of `usual`, "usual.2", "usual.3", ... that
/// no other process uses, and says so on stderr if it is not `usual`.
held_directory hold_directory(const std::string& command, const std::string& out,
                              const std::filesystem::path& usual);

/// Writes `text` to the file `name` in `directory`, which is created if needed. An earlier file is
/// replaced atomically. Throws `std::runtime_error` if it cannot.
void write_text(const std::filesystem::path& directory, const std::string& name,
                const std::string& text);

/// Calls `write`, which writes files. Returns false, and says why on stderr, if it throws
/// `std::runtime_error`.
bool tell_unwritten(const std::function<void()>& write);

/// Writes an experiment's `result.json` to `directory`. Throws `std::runtime_error` if it cannot.
void write_result(const std::filesystem::path& directory, const nlohmann::ordered_json& result);

/// Reads that file. Throws `usage_error` if there is none.
nlohmann::ordered_json read_result(const std::filesystem::path& directory);

/// Returns the text of notes.md beside the experiment of `result`; empty if there is none.
std::string notes_for(const nlohmann::ordered_json& result);

/// Returns what the picture of an experiment shows: the first line, a comment, of picture.gp beside
/// the experiment; empty if there is no such file.
std::string picture_for(const nlohmann::ordered_json& result);

} // namespace troupe
