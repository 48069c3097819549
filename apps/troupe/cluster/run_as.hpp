#pragma once

#include "process/command/command_spec.hpp"

#include <string>

namespace troupe {

/// The user of commands where none is named and the node runs as root.
inline constexpr const char* unprivileged_user = "nobody";

/// Returns the user that commands of tasks run as. `name` empty: the user of this process, or
/// `unprivileged_user` if that is root. Throws `usage_error` if there is no such user, or this
/// process may not become it.
command_user user_of_commands(const std::string& name);

} // namespace troupe
