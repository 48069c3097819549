#pragma once

#include "manual/command_tree.hpp"

#include <string>

/// Scripts that complete the command line in a shell. They contain all names and need neither the
/// program nor other scripts when they complete.
namespace troupe {

/// For bash 4.4 or later.
std::string bash_completion(const command_node& root, const std::vector<setting_key>& settings);

/// For zsh 5; the file is called _troupe in a folder of $fpath.
std::string zsh_completion(const command_node& root, const std::vector<setting_key>& settings);

/// For fish 3.
std::string fish_completion(const command_node& root, const std::vector<setting_key>& settings);

} // namespace troupe
