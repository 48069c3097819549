#pragma once

#include "settings/schema/setting_keys.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// The command line as plain data: the source of completions and manual pages.
namespace troupe {

/// What the value of an option, or an argument, is.
enum class value_kind : std::uint8_t {
  none, ///< a flag: it has no value
  text,
  words, ///< one of `words`
  list,  ///< some of `words`, joined by commas
  settings,
  file,
  directory,
};

/// An option or an argument.
struct parameter {
  std::vector<std::string> names; ///< "--jobs" and "-j"; of an argument: its name, "CONFIG"
  std::string meaning;
  std::string value;    ///< the name of its value, "N"; empty: none
  std::string standard; ///< the default, if the help shows it
  value_kind kind = value_kind::text;
  std::vector<std::string> words;
  std::string prefix; ///< of `settings`: of the keys, which are given without it
  bool required = false;
  bool repeated = false;
};

/// The program, or one of its commands.
struct command_node {
  std::string name; ///< with the outer commands: "troupe trace fit"
  std::string meaning;
  std::string footer;             ///< examples, then paragraphs
  std::vector<parameter> options; ///< without those of outer commands
  std::vector<parameter> arguments;
  std::vector<command_node> commands;
  bool needs_command = false; ///< one of `commands` must follow

  /// The last part of the name.
  std::string own_name() const;
};

/// Returns the tree of `app`, which is not changed.
command_node tree_of(CLI::App& app);

/// Returns `node` and all commands in it, each before its own commands.
std::vector<const command_node*> all_commands(const command_node& node);

/// Returns the options that `of`, a command in `root`, accepts: its own, then those of the program.
std::vector<parameter> options_with_global(const command_node& root, const command_node& of);

} // namespace troupe
