#include "commands.hpp"
#include "policies/registry.hpp"
#include "project_template.hpp"

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

void check_name(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  if (name.empty() || name.front() < 'a' || name.front() > 'z' || name.back() == '-' ||
      !std::ranges::all_of(name, fits))
    throw usage_error{"new policy: NAME '" + name +
                      "'; expected lower case letters, digits and -, a letter first"};
  if (find_registered(plugin_kind::placement_policy, name) != nullptr)
    throw usage_error{"new policy: NAME '" + name +
                      "' is that of a built-in policy; expected "
                      "another one"};
}

/// Where this program is installed with its CMake package; words for that if it is not.
std::string prefix() {
  const auto folder = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  std::error_code error;
  return fs::exists(folder / TROUPE_PACKAGE_DIR, error) ? folder.string()
                                                        : "/where/troupe/is/installed";
}

int make_policy_project(const new_options& options) {
  check_name(options.name);
  const fs::path folder = options.out.empty() ? options.name : options.out;
  std::error_code error;
  if (fs::exists(folder, error) &&
      !(fs::is_directory(folder, error) && fs::is_empty(folder, error)))
    throw usage_error{"new policy: " + folder.string() +
                      " is there already; expected a folder that is not, or is empty"};
  fs::create_directories(folder);
  for (const auto& file : policy_project(options.name, prefix())) {
    std::ofstream out{folder / file.name};
    out << file.text;
    if (!out.flush())
      throw std::runtime_error{"cannot write " + (folder / file.name).string()};
  }
  std::cout << folder.string() << " holds a policy that works. Next:\n\n"
            << "  cd " << folder.string()
            << "\n  cmake -S . -B build -DCMAKE_PREFIX_PATH=" << prefix()
            << "\n  cmake --build build && ctest --test-dir build\n"
            << "  troupe run run.toml\n";
  return exit_code::done;
}

} // namespace

void add_new_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("new", "Write a project for a plugin of your own");
  auto* policy = command->add_subcommand("policy", "Write a project for a placement policy");
  command->footer("Examples:\n"
                  "  troupe new policy my-policy\n"
                  "  troupe new policy my-policy --out plugins/mine");
  command->require_subcommand(1);
  auto options = std::make_shared<new_options>();
  policy->add_option("NAME", options->name, "What the policy is called")->required()->type_name("");
  policy->add_option("--out", options->out, "Where to write it; default: NAME")->type_name("DIR");
  policy->callback(
    [&chosen, options] { chosen = [options] { return make_policy_project(*options); }; });
}

} // namespace troupe
