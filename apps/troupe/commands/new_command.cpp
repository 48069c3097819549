#include "commands/commands.hpp"
#include "policies/registry.hpp"
#include "templates/project_template.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>

namespace troupe {

namespace {

namespace fs = std::filesystem;

struct new_options {
  std::string name;
  std::string out;
};

/// The kinds of projects.
struct project_kind {
  const char* word;
  const char* what;
  plugin_kind kind;
  std::vector<project_file> (*files)(const std::string& name, const std::string& prefix);
};

constexpr project_kind policy_kind{"policy", "placement policy", plugin_kind::placement_policy,
                                   policy_project};
constexpr project_kind scheduler_kind{"scheduler", "scheduler actor", plugin_kind::scheduler_actor,
                                      scheduler_project};

void check_name(const project_kind& of, const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  if (name.empty() || name.front() < 'a' || name.front() > 'z' || name.back() == '-' ||
      !std::ranges::all_of(name, fits))
    throw usage_error{std::string{"new "} + of.word + ": NAME '" + name +
                      "'; expected lower case letters, digits and -, a letter first"};
  if (find_registered(of.kind, name) != nullptr)
    throw usage_error{std::string{"new "} + of.word + ": NAME '" + name +
                      "' is that of a built-in " + of.word + "; expected another one"};
}

/// Returns the prefix under which this program is installed with its CMake package; a placeholder
/// text if it is not.
std::string prefix() {
  const auto folder = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  std::error_code error;
  return fs::exists(folder / TROUPE_PACKAGE_DIR, error) ? folder.string()
                                                        : "/where/troupe/is/installed";
}

int make_project(const project_kind& of, const new_options& options) {
  check_name(of, options.name);
  const fs::path folder = options.out.empty() ? options.name : options.out;
  std::error_code error;
  if (fs::exists(folder, error) &&
      !(fs::is_directory(folder, error) && fs::is_empty(folder, error)))
    throw usage_error{std::string{"new "} + of.word + ": " + folder.string() +
                      " exists already; expected a new or empty folder"};
  fs::create_directories(folder, error);
  if (error)
    throw usage_error{std::string{"new "} + of.word + ": " + folder.string() +
                      " cannot be created: " + error.message() +
                      "; expected a folder in a place where you may write"};
  for (const auto& file : of.files(options.name, prefix())) {
    std::ofstream out{folder / file.name};
    out << file.text;
    if (!out.flush())
      throw std::runtime_error{"cannot write " + (folder / file.name).string()};
  }
  std::cout << folder.string() << " contains a working " << of.word << ". Next:\n\n"
            << "  cd " << folder.string()
            << "\n  cmake -S . -B build -DCMAKE_PREFIX_PATH=" << prefix()
            << "\n  cmake --build build && ctest --test-dir build\n"
            << "  troupe run run.toml\n";
  return exit_code::done;
}

} // namespace

void add_new_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("new", "Create a project for a plugin");
  command->footer("Examples:\n"
                  "  troupe new policy my-policy\n"
                  "  troupe new scheduler my-scheduler --out plugins/mine");
  command->require_subcommand(1);
  for (const auto* of : {&policy_kind, &scheduler_kind}) {
    auto* project =
      command->add_subcommand(of->word, std::string{"Create a project for a "} + of->what);
    auto options = std::make_shared<new_options>();
    project->add_option("NAME", options->name, std::string{"Name of the "} + of->word)
      ->required()
      ->type_name("");
    project->add_option("--out", options->out, "Directory to create; default: NAME")
      ->type_name("DIR");
    project->callback(
      [&chosen, of, options] { chosen = [of, options] { return make_project(*of, *options); }; });
  }
}

} // namespace troupe
