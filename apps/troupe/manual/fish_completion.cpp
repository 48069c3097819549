#include "manual/completions.hpp"
#include "manual/shell_text.hpp"

namespace troupe {

namespace {

constexpr const char* fish_head =
  R"fish(# Completes 'troupe' in fish; written by 'troupe completion fish'.

# Prints the command before the cursor, such as "troupe trace fit".
function __troupe_command
    set -l words (commandline -opc)
    set -e words[1]
    set -l command troupe
    set -l value no
    for word in $words
        if test $value = yes
            set value no
        else if string match -q -- '-*' $word
            contains -- $word $__troupe_options; and set value yes
        else if contains -- "$command $word" $__troupe_commands
            set command "$command $word"
        else
            break
        end
    end
    echo $command
end

# Whether the command before the cursor is $argv.
function __troupe_at
    test "$argv" = (__troupe_command)
end

# Prints the settings for the word before the cursor: keys or, after "=", values. $argv is a prefix
# of the keys, which is left out.
function __troupe_settings
    set -l settings $__troupe_keys
    string match -q -- '*=*' (commandline -ct); and set settings $__troupe_values
    for setting in $settings
        string match -q -- "$argv*" $setting; or continue
        string replace -r -- "^$argv" '' $setting
    end
end

# Prints the words of $argv after the last comma before the cursor.
function __troupe_list
    set -l before (string replace -r -- '[^,=]*$' '' (commandline -ct) | string replace -r -- '^--[^=]*=' '')
    for word in $argv
        echo $before$word
    end
end

complete -c troupe -f
)fish";

/// Returns the arguments of fish's `complete` by which a value is completed.
std::string fish_value(const parameter& p) {
  switch (p.kind) {
  case value_kind::words:
    return " -x -a " + fish_quoted(joined(p.words));
  case value_kind::list:
    return " -x -a " + fish_quoted("(__troupe_list " + joined(p.words) + ")");
  case value_kind::settings:
    return " -x -a " + fish_quoted("(__troupe_settings " + p.prefix + ")");
  case value_kind::file:
    return " -r -F";
  case value_kind::directory:
    return " -x -a '(__fish_complete_directories)'";
  case value_kind::none:
    return " -f";
  default:
    return " -x";
  }
}

std::string fish_argument(const parameter& p) {
  switch (p.kind) {
  case value_kind::text:
    return "";
  case value_kind::file:
    return " -F";
  default:
    return fish_value(p);
  }
}

std::string fish_line(const command_node& at, const std::string& what, const std::string& meaning) {
  return "complete -c troupe -n " + fish_quoted("__troupe_at " + at.name) + what +
         (meaning.empty() ? "" : " -d " + fish_quoted(short_meaning(meaning))) + '\n';
}

std::string fish_command(const command_node& root, const command_node& node) {
  std::string out;
  for (const auto& command : node.commands)
    out += fish_line(node, " -f -a " + command.own_name(), command.meaning);
  for (const auto& option : options_with_global(root, node)) {
    std::string names;
    for (const auto& name : option.names)
      names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    out += fish_line(node, names + fish_value(option), option.meaning);
  }
  for (const auto& argument : node.arguments)
    if (const auto what = fish_argument(argument); !what.empty())
      out += fish_line(node, what, "");
  return out;
}

std::string fish_settings(const std::vector<setting_key>& settings) {
  std::string keys = "set -g __troupe_keys";
  std::string values = "set -g __troupe_values";
  for (const auto& s : settings) {
    keys += " \\\n    " + fish_quoted(s.key + '=');
    // A tab parts what is completed from its description.
    const auto meaning = short_meaning(s.meaning);
    if (!meaning.empty())
      keys += "\\t" + fish_quoted(meaning);
    for (const auto& value : s.values)
      values += " \\\n    " + fish_quoted(s.key + '=' + value);
  }
  return keys + '\n' + values + '\n';
}

} // namespace

std::string fish_completion(const command_node& root, const std::vector<setting_key>& settings) {
  std::string commands = "set -g __troupe_commands";
  std::string options = "set -g __troupe_options";
  std::string lines;
  for (const auto* node : all_commands(root)) {
    if (node != &root)
      commands += " \\\n    " + fish_quoted(node->name);
    for (const auto& option : node->options)
      if (option.kind != value_kind::none)
        options += " \\\n    " + joined(option.names);
    lines += fish_command(root, *node);
  }
  return fish_head + commands + '\n' + options + '\n' + fish_settings(settings) + lines;
}

} // namespace troupe
