#pragma once

#include <string>
#include <vector>

namespace CLI {
class Option;
}

/// Hints on the values of options, for completions in shells and for manual pages. They are kept in
/// the option itself. Options without a hint are completed by the name of their value: DIR with
/// directories, FILE, PATH and CONFIG with files; --set and --vary with settings.
namespace troupe {

/// Lets a value be one of `words` only; hints at them.
void choose_from(CLI::Option* option, const std::vector<std::string>& words);

/// Hints at `words`; other values are allowed, too.
void suggest(CLI::Option* option, const std::vector<std::string>& words);

/// Hints at `words` joined by commas.
void suggest_list(CLI::Option* option, const std::vector<std::string>& words);

/// Hints at the settings whose key starts with `prefix`, without that.
void suggest_settings(CLI::Option* option, const std::string& prefix);

/// The hint of an option.
struct option_hint {
  enum class form { none, words, list, settings } what = form::none;
  std::vector<std::string> words; ///< of `settings`: the prefix
};

option_hint hint_of(CLI::Option& option);

} // namespace troupe
