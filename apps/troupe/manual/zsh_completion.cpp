#include "manual/completions.hpp"
#include "manual/shell_text.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr const char* zsh_settings_body = R"zsh(
# Completes a setting: its key or, after "=", its value. $1 is a prefix of the keys.
_troupe_settings() {
  local prefix=$1
  if [[ $PREFIX == *=* ]]; then
    local key=$prefix${PREFIX%%=*}
    compset -P '*='
    compadd -- ${${(M)_troupe_values:#$key=*}#$key=}
  else
    local -a keys=(${${(M)_troupe_keys:#$prefix*}#$prefix})
    _describe -t settings setting keys -S =
  fi
}
)zsh";

std::string zsh_function(const std::string& name) {
  auto out = '_' + name;
  std::ranges::replace(out, ' ', '_');
  return out;
}

/// Returns what follows the name of a value in a specification of _arguments.
std::string zsh_action(const parameter& p) {
  switch (p.kind) {
  case value_kind::words:
    return "(" + joined(p.words) + ")";
  case value_kind::list:
    return "_values -s , value " + joined(p.words);
  case value_kind::settings:
    return " _troupe_settings " + posix_quoted(p.prefix); // a space: without options of compadd
  case value_kind::file:
    return "_files";
  case value_kind::directory:
    return "_files -/";
  default:
    return " ";
  }
}

std::string zsh_meaning(const std::string& meaning) {
  return escaped(short_meaning(meaning), "[]:\\");
}

/// Returns the specification of an option for _arguments.
std::string zsh_option(const parameter& p) {
  const bool flag = p.kind == value_kind::none;
  std::string rest = '[' + zsh_meaning(p.meaning) + ']';
  if (!flag)
    rest += ':' + escaped(p.value, ":") + ':' + zsh_action(p);
  std::vector<std::string> names;
  for (const auto& name : p.names)
    names.push_back(flag ? name : name + (name.starts_with("--") ? "=" : "+"));
  const auto start = p.repeated            ? std::string{"*"}
                     : p.names.size() == 1 ? std::string{}
                                           : '(' + joined(p.names) + ')';
  if (names.size() == 1)
    return posix_quoted(start + names.front() + rest);
  return posix_quoted(start) + '{' + joined(names, ",") + '}' + posix_quoted(rest);
}

std::string zsh_argument(const parameter& p, std::size_t number) {
  const auto place = p.repeated ? std::string{"*"} : std::to_string(number);
  return posix_quoted(place + ':' + p.names.front() + ':' + zsh_action(p));
}

/// Returns the function that completes one command, and one that lists its commands.
std::string zsh_command(const command_node& root, const command_node& node) {
  const auto name = zsh_function(node.name);
  std::string out;
  if (!node.commands.empty()) {
    out += name + "_commands() {\n  local -a commands=(\n";
    for (const auto& command : node.commands)
      out += "    " + posix_quoted(command.own_name() + ':' + escaped(command.meaning, ":")) + '\n';
    out += "  )\n  _describe -t commands command commands\n";
    if (!node.arguments.empty())
      out += "  " + zsh_action(node.arguments.front()) + '\n';
    out += "}\n\n";
  }
  out += name + "() {\n";
  if (!node.commands.empty())
    out += "  local curcontext=$curcontext state line\n  typeset -A opt_args\n";
  out += "  _arguments -s -S";
  if (!node.commands.empty())
    out += " -C";
  for (const auto& option : options_with_global(root, node))
    out += " \\\n    " + zsh_option(option);
  if (!node.commands.empty()) {
    out += " \\\n    '1: :" + name + "_commands' \\\n    '*:: :->rest'\n";
    out += "  [[ $state == rest ]] || return\n  case $words[1] in\n";
    for (const auto& command : node.commands)
      out += "    (" + command.own_name() + ") " + zsh_function(command.name) + " ;;\n";
    return out + "  esac\n}\n\n";
  }
  for (std::size_t i = 0; i < node.arguments.size(); ++i)
    out += " \\\n    " + zsh_argument(node.arguments[i], i + 1);
  return out + "\n}\n\n";
}

std::string zsh_settings(const std::vector<setting_key>& settings) {
  std::string keys = "typeset -ga _troupe_keys=(\n";
  std::string values = "typeset -ga _troupe_values=(\n";
  for (const auto& s : settings) {
    keys += "  " + posix_quoted(s.key + ':' + escaped(short_meaning(s.meaning), ":\\")) + '\n';
    for (const auto& value : s.values)
      values += "  " + posix_quoted(s.key + '=' + value) + '\n';
  }
  return keys + ")\n" + values + ")\n";
}

} // namespace

std::string zsh_completion(const command_node& root, const std::vector<setting_key>& settings) {
  std::string out = "#compdef troupe\n# Completes 'troupe' in zsh; written by 'troupe completion "
                    "zsh'.\n\n" +
                    zsh_settings(settings) + zsh_settings_body + '\n';
  for (const auto* node : all_commands(root))
    out += zsh_command(root, *node);
  // Autoloaded, the file is the function itself; sourced, it registers it.
  return out + "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n  _troupe \"$@\"\nelse\n"
               "  compdef _troupe troupe\nfi\n";
}

} // namespace troupe
