#include "support/option_hints.hpp"

#include <CLI/CLI.hpp>

#include <sstream>

namespace troupe {

namespace {

// A hint is a validator that accepts everything; its name has a mark, and the words after it.
constexpr char words_mark = '=';
constexpr char list_mark = ',';
constexpr char settings_mark = '.';

void add_hint(CLI::Option* option, char mark, const std::vector<std::string>& words) {
  std::string name(1, mark);
  for (const auto& word : words)
    name += word + ' ';
  option->check(CLI::Validator{}.name(name));
}

option_hint::form form_of(char mark) {
  switch (mark) {
  case words_mark:
    return option_hint::form::words;
  case list_mark:
    return option_hint::form::list;
  case settings_mark:
    return option_hint::form::settings;
  default:
    return option_hint::form::none;
  }
}

} // namespace

void choose_from(CLI::Option* option, const std::vector<std::string>& words) {
  option->check(CLI::IsMember{words}.description(""));
  suggest(option, words);
}

void suggest(CLI::Option* option, const std::vector<std::string>& words) {
  add_hint(option, words_mark, words);
}

void suggest_list(CLI::Option* option, const std::vector<std::string>& words) {
  add_hint(option, list_mark, words);
}

void suggest_settings(CLI::Option* option, const std::string& prefix) {
  add_hint(option, settings_mark, {prefix});
}

option_hint hint_of(CLI::Option& option) {
  try {
    for (int i = 0;; ++i) {
      const auto& name = option.get_validator(i)->get_name();
      const auto what = name.empty() ? option_hint::form::none : form_of(name.front());
      if (what == option_hint::form::none)
        continue;
      option_hint hint{what, {}};
      std::istringstream in{name.substr(1)};
      for (std::string word; in >> word;)
        hint.words.push_back(word);
      return hint;
    }
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
}

} // namespace troupe
