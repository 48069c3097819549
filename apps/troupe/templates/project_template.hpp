#pragma once

#include <string>
#include <utility>
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

/// Marks such as "@NAME@", with their replacements.
using template_words = std::vector<std::pair<std::string, std::string>>;

/// The differences between the projects of the kinds of plugins.
struct project_template {
  std::string source;
  std::string test;
  template_words words; ///< may contain the marks of later words
};

/// Puts the words, the name of a project, and where Troupe is installed, into a project's files.
std::vector<project_file> filled_project(const project_template& from, const std::string& name,
                                         const std::string& prefix);

} // namespace troupe
