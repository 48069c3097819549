#include "manual/completions.hpp"
#include "manual/shell_text.hpp"

namespace troupe {

namespace {

constexpr const char* bash_head =
  R"(# Completes 'troupe' in bash; written by 'troupe completion bash'.
# shellcheck shell=bash

)";

constexpr const char* bash_body = R"bash(
# Completes $1 as a setting: its key or, after "=", its value. $2 is a prefix of the keys.
_troupe_setting() {
  local setting
  if [[ $1 == *=* ]]; then
    for setting in "${_troupe_values[@]}"; do
      [[ $setting == "$2$1"* ]] && COMPREPLY+=("${setting#"$2"}")
    done
  else
    for setting in "${_troupe_keys[@]}"; do
      [[ $setting == "$2$1"* ]] && COMPREPLY+=("${setting#"$2"}=")
    done
    compopt -o nospace 2>/dev/null
  fi
}

# Completes $1 as a value of the kind in "kind", whose words are in "words".
_troupe_value() {
  local before= found
  case $kind in
    words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$1") ;;
    list)
      [[ $1 == *,* ]] && before=${1%,*},
      mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "${1##*,}")
      compopt -o nospace 2>/dev/null
      ;;
    settings) _troupe_setting "$1" "$words" ;;
    file)
      mapfile -t COMPREPLY < <(compgen -f -- "$1")
      compopt -o filenames 2>/dev/null
      ;;
    directory)
      mapfile -t COMPREPLY < <(compgen -d -- "$1")
      compopt -o filenames 2>/dev/null
      ;;
  esac
}

_troupe() {
  local commands flags options kind words
  local line=() word glued= option= command=troupe arguments=0 i
  COMPREPLY=()
  # bash takes "=" for a word of its own: here the parts are joined again.
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if ((${#line[@]} == 0)) || [[ -z $glued && $word != = ]] ||
      [[ -z $word && ${COMP_LINE:COMP_POINT-1:1} == ' ' ]]; then
      line+=("$word")
    else
      line[-1]+=$word
    fi
    glued=
    [[ $word == = ]] && glued=1
  done
  local current=${line[-1]}
  unset 'line[-1]'
  for word in "${line[@]}"; do
    if [[ -n $option ]]; then
      option=
      continue
    fi
    _troupe_command "$command"
    case $word in
      -*=*) ;;
      -*) [[ " $options " == *" $word "* ]] && option=$word ;;
      *)
        if ((arguments == 0)) && [[ " $commands " == *" $word "* ]]; then
          command+=" $word"
        else
          ((++arguments))
        fi
        ;;
    esac
  done
  _troupe_command "$command"
  local start= known
  if [[ -z $option && $current == --*=* ]]; then
    option=${current%%=*}
    start=$option=
    current=${current#*=}
  fi
  if [[ -n $option ]]; then
    _troupe_kind "$command $option"
    _troupe_value "$current"
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags $options" -- "$current")
  else
    _troupe_kind "$command $((arguments + 1))"
    _troupe_value "$current"
    if ((arguments == 0)); then
      mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$commands" -- "$current")
    fi
  fi
  # Where "=" parts words, bash replaces only what follows the last one.
  if [[ $COMP_WORDBREAKS == *=* ]]; then
    known=${current%"${current##*=}"}
    COMPREPLY=("${COMPREPLY[@]#"$known"}")
  else
    COMPREPLY=("${COMPREPLY[@]/#/$start}")
  fi
}

complete -F _troupe troupe
)bash";

std::string bash_word_of(value_kind kind) {
  switch (kind) {
  case value_kind::words:
    return "words";
  case value_kind::list:
    return "list";
  case value_kind::settings:
    return "settings";
  case value_kind::file:
    return "file";
  case value_kind::directory:
    return "directory";
  default:
    return "";
  }
}

/// Returns a branch of _troupe_kind for what `pattern` fits; empty if there is nothing to complete.
std::string bash_kind(const std::string& pattern, const parameter& p) {
  const auto kind = bash_word_of(p.kind);
  if (kind.empty())
    return "";
  const auto words = p.kind == value_kind::settings ? p.prefix : joined(p.words);
  return "    " + pattern + ") kind=" + kind +
         (words.empty() ? "" : " words=" + posix_quoted(words)) + " ;;\n";
}

std::string bash_settings(const std::vector<setting_key>& settings) {
  std::string keys = "_troupe_keys=(\n";
  std::string values = "_troupe_values=(\n";
  for (const auto& s : settings) {
    keys += "  " + s.key + '\n';
    for (const auto& value : s.values)
      values += "  " + posix_quoted(s.key + '=' + value) + '\n';
  }
  return keys + ")\n" + values + ")\n";
}

} // namespace

std::string bash_completion(const command_node& root, const std::vector<setting_key>& settings) {
  std::string commands;
  std::string kinds;
  for (const auto* node : all_commands(root)) {
    std::string inner;
    for (const auto& command : node->commands)
      inner += (inner.empty() ? "" : " ") + command.own_name();
    std::string flags;
    std::string options;
    for (const auto& option : options_with_global(root, *node)) {
      auto& to = option.kind == value_kind::none ? flags : options;
      to += (to.empty() ? "" : " ") + joined(option.names);
      std::vector<std::string> patterns;
      for (const auto& name : option.names)
        patterns.push_back(posix_quoted(node->name + ' ' + name));
      kinds += bash_kind(joined(patterns, " | "), option);
    }
    commands += "    " + posix_quoted(node->name) + ")\n      commands=" + posix_quoted(inner) +
                "\n      flags=" + posix_quoted(flags) +
                "\n      options=" + posix_quoted(options) + "\n      ;;\n";
    for (std::size_t i = 0; i < node->arguments.size(); ++i) {
      const auto& argument = node->arguments[i];
      kinds += bash_kind(argument.repeated ? posix_quoted(node->name + ' ') + "[0-9]*"
                                           : posix_quoted(node->name + ' ' + std::to_string(i + 1)),
                         argument);
    }
  }
  return bash_head + bash_settings(settings) +
         "\n# Sets the commands, flags and options with a value that may follow command $1.\n"
         "_troupe_command() {\n  commands= flags= options=\n  case $1 in\n" +
         commands +
         "  esac\n}\n\n"
         "# Sets the kind and the words of what follows: of an option of a command, or of the\n"
         "# argument of a command with a number.\n"
         "_troupe_kind() {\n  kind= words=\n  case $1 in\n" +
         kinds + "  esac\n}\n" + bash_body;
}

} // namespace troupe
