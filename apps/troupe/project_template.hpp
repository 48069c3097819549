#pragma once

#include <string>
#include <vector>

namespace troupe {

/// One file of a new project.
struct project_file {
  std::string name;
  std::string text;
};

/// Returns the files of a project for a placement policy called `name`: the policy, its test, a
/// CMake file, settings to run it with, and a README. `prefix` is where this Troupe is installed.
std::vector<project_file> policy_project(const std::string& name, const std::string& prefix);

/// The same for a scheduler actor.
std::vector<project_file> scheduler_project(const std::string& name, const std::string& prefix);

/// Puts the name of a project, and where Troupe is installed, into its files' names and texts.
std::vector<project_file> filled_project(std::vector<project_file> files, const std::string& name,
                                         const std::string& prefix);

} // namespace troupe
