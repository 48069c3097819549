#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace CLI {
class App;
}

/// The results of commands as JSON, which docs/json.md describes: one object on standard output,
/// with "format": 1 as its first member, and everything else on standard error.
namespace troupe {

/// The version of the format: it changes if a member is removed or changes its meaning, not if one
/// is added.
inline constexpr int json_format = 1;

/// Adds --json to `command`; `wanted` must outlive it.
void add_json_option(CLI::App& command, bool& wanted);

/// Prints an object as the result of the program. To be called once.
void print_json(const nlohmann::ordered_json& result);

/// Prints a mistake or failure as the result of the program, unless one has been printed.
void print_json_error(const std::string& message);

/// Returns whether the command line asks for JSON: with --json or --format json. It is read before
/// it is known to be right, since its mistakes are printed as JSON, too.
bool asks_for_json(int argc, const char* const* argv);

} // namespace troupe
