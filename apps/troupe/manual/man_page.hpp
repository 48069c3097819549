#pragma once

#include "manual/command_tree.hpp"

#include <string>

namespace troupe {

/// Returns the manual page of `of`, a command in `root`, for section 1, in roff. `version` is
/// "troupe 1.2.3".
std::string man_page(const command_node& root, const command_node& of, const std::string& version);

/// Returns the name of a command's page: "troupe-trace-fit".
std::string man_page_name(const command_node& of);

} // namespace troupe
