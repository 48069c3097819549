#include "cli/shell.hpp"
#include "support/long_case.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

using namespace troupe::test;

namespace {

/// What the help text of a command lists.
struct listed {
  std::string command; ///< "trace fit"; empty: the program
  std::vector<std::string> commands;
  std::vector<std::string> options; ///< "--seed", "-q"
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in{text};
  std::vector<std::string> words;
  for (std::string word; in >> word;)
    words.push_back(word);
  return words;
}

listed read_help(const std::string& command, const std::string& help) {
  listed found{command, {}, {}};
  std::istringstream lines{help};
  bool subcommands = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.front() != ' ')
      subcommands = line == "Subcommands:";
    if (!line.starts_with("  ") || line.size() < 3 || line[2] == ' ')
      continue;
    const auto first = line.substr(2, line.find(' ', 2) - 2);
    if (subcommands) {
      found.commands.push_back(first);
    } else if (first.starts_with('-')) {
      std::istringstream names{first};
      for (std::string name; std::getline(names, name, ',');)
        found.options.push_back(name);
    }
  }
  return found;
}

/// The help of the program and of every command, each read.
const std::vector<listed>& all_listed() {
  static const auto all = [] {
    const scratch here;
    std::vector<listed> found;
    std::vector<std::string> open{""};
    for (std::size_t i = 0; i < open.size(); ++i) {
      auto words = words_of(open[i]);
      words.emplace_back("--help");
      found.push_back(read_help(open[i], here.run(words).out));
      for (const auto& inner : found.back().commands)
        open.push_back(open[i].empty() ? inner : open[i] + ' ' + inner);
    }
    return found;
  }();
  return all;
}

constexpr const char* ask_bash = R"(
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
source troupe.bash
ask() {
  COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
  _troupe
  printf '%s\n' "${COMPREPLY[@]}"
}
)";

/// What bash offers for the command line `line`, whose words are parted as bash does it.
std::set<std::string> offers_of_bash(const scratch& here, const std::string& line) {
  std::string words;
  for (const char c : line)
    words += c == '=' ? std::string{" = "} : std::string(1, c);
  auto all = words_of(words);
  if (line.ends_with(' ') || line.ends_with('='))
    all.emplace_back();
  std::string call = "ask '" + line + "'";
  for (const auto& word : all)
    call += " '" + word + "'";
  const auto answer = in_bash(here, ask_bash + call);
  CHECK(answer.err == "");
  const auto offers = words_of(answer.out);
  return {offers.begin(), offers.end()};
}

void write_script(const scratch& here, const std::string& shell, const std::string& file) {
  const auto script = here.run({"completion", shell});
  CHECK(script.code == 0);
  CHECK(script.err == "");
  here.write(file, script.out);
}

using word_set = std::set<std::string>;

} // namespace

TEST_CASE("bash completes every command and every option" * long_case) {
  const scratch here;
  write_script(here, "bash", "troupe.bash");
  CHECK(all_listed().size() >= 30);
  for (const auto& at : all_listed()) {
    CAPTURE(at.command);
    const auto start = at.command.empty() ? "troupe " : "troupe " + at.command + ' ';
    const auto options = offers_of_bash(here, start + "-");
    for (const auto& option : at.options)
      CHECK_MESSAGE(options.contains(option), option);
    CHECK(options.contains("--color"));
    if (at.commands.empty())
      continue;
    const auto commands = offers_of_bash(here, start);
    for (const auto& command : at.commands)
      CHECK_MESSAGE(commands.contains(command), command);
  }
}

TEST_CASE("bash completes values") {
  const scratch here;
  write_script(here, "bash", "troupe.bash");
  here.write("mine.toml", "");
  std::filesystem::create_directory(here.path() / "folder");
  const auto offers = [&](const std::string& line) { return offers_of_bash(here, line); };
  CHECK(offers("troupe compare a.toml --format ") == word_set{"table", "json", "csv", "markdown"});
  CHECK(offers("troupe compare a.toml --format=m") == word_set{"markdown"});
  CHECK(offers("troupe --log-level deb") == word_set{"debug"});
  CHECK(offers("troupe --log-level debug ru") == word_set{"run"});
  CHECK(offers("troupe run mi") == word_set{"mine.toml"});
  CHECK(offers("troupe run --out ") == word_set{"folder"});
  CHECK(offers("troupe run --set sync.ga") == word_set{"sync.gap="});
  CHECK(offers("troupe run --set architecture=s") == word_set{"statesync", "static", "sparrow"});
  CHECK(offers("troupe run --set=architecture=two") == word_set{"two-level"});
  CHECK(offers("troupe sweep mine.toml --vary scheduler.policy=q") == word_set{"quality-first"});
  CHECK(offers("troupe trace x.tr --set for") == word_set{"format="});
  CHECK(offers("troupe trace fi") == word_set{"fit"});
  CHECK(offers("troupe trace fit --phases 3 mi") == word_set{"mine.toml"});
  CHECK(offers("troupe node --roles master,own") == word_set{"master,owner"});
  CHECK(offers("troupe check policy adap") == word_set{"adaptive"});
  CHECK(offers("troupe help expe") == word_set{"experiment"});
  CHECK(offers("troupe run --seed ").empty());
  CHECK(offers("troupe node --attribute ").empty());
}

TEST_CASE("fish completes every command and every option" * long_case) {
  if (!has_program("fish"))
    return skip("fish");
  const scratch here;
  write_script(here, "fish", "troupe.fish");
  const auto ask = [&](const std::string& line) {
    const auto answer = in_bash(here, "fish --no-config -c 'source troupe.fish; complete -C \"" +
                                        line + "\"' | cut -f 1");
    CAPTURE(answer.err);
    CHECK(answer.err == "");
    const auto offers = words_of(answer.out);
    return word_set{offers.begin(), offers.end()};
  };
  for (const auto& at : all_listed()) {
    CAPTURE(at.command);
    const auto start = at.command.empty() ? "troupe " : "troupe " + at.command + ' ';
    const auto options = ask(start + "-");
    const auto long_ones = ask(start + "--");
    for (const auto& option : at.options)
      CHECK_MESSAGE((options.contains(option) || long_ones.contains(option)), option);
    const auto commands = at.commands.empty() ? word_set{} : ask(start);
    for (const auto& command : at.commands)
      CHECK_MESSAGE(commands.contains(command), command);
  }
  CHECK(ask("troupe compare a.toml --format m") == word_set{"markdown"});
  CHECK(ask("troupe run --set architecture=two") == word_set{"architecture=two-level"});
  CHECK(ask("troupe node --roles master,own") == word_set{"master,owner"});
}

TEST_CASE("zsh completes every command and every option") {
  const scratch here;
  write_script(here, "zsh", "_troupe");
  const auto script = read_file(here.path() / "_troupe");
  for (const auto& at : all_listed()) {
    CAPTURE(at.command);
    auto function = "_troupe" + (at.command.empty() ? "" : ' ' + at.command);
    std::ranges::replace(function, ' ', '_');
    const auto from = script.find('\n' + function + "() {");
    REQUIRE(from != std::string::npos);
    const auto body = script.substr(from, script.find("\n}\n", from) - from);
    for (const auto& option : at.options)
      CHECK_MESSAGE(contains(body, option), option);
    for (const auto& command : at.commands)
      CHECK_MESSAGE(contains(body, "(" + command + ")"), command);
  }
  if (!has_program("zsh"))
    return skip("zsh");
  const auto syntax = in_bash(here, "zsh -f -n _troupe");
  CAPTURE(syntax.err);
  CHECK(syntax.code == 0);
  CHECK(syntax.err == "");
  const auto loaded =
    in_bash(here, "zsh -f -c 'fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; print "
                  "$_comps[troupe]; autoload +X _troupe && print loaded'");
  CAPTURE(loaded.err);
  CHECK(loaded.out == "_troupe\nloaded\n");
}

TEST_CASE("manual pages have every command and every option" * long_case) {
  const scratch here;
  CHECK(here.run({"man", "--out", "pages"}).code == 0);
  const auto files = here.entries();
  CHECK(files.size() == all_listed().size() + 1);
  for (const auto& at : all_listed()) {
    CAPTURE(at.command);
    auto name = "troupe" + (at.command.empty() ? "" : ' ' + at.command);
    std::ranges::replace(name, ' ', '-');
    auto page = read_file(here.path() / "pages" / (name + ".1"));
    auto arguments = words_of(at.command);
    arguments.insert(arguments.begin(), "man");
    CHECK(here.run(arguments).out == page);
    std::erase(page, '\\');
    CHECK(contains(page, "\n.SH NAME\n" + name + " - "));
    for (const auto& option : at.options)
      CHECK_MESSAGE(contains(page, "fB" + option + "fR"), option);
    for (const auto& command : at.commands)
      CHECK_MESSAGE(contains(page, "fBtroupe " + (at.command.empty() ? "" : at.command + ' ') +
                                     command + "fR\n"),
                    command);
  }
}

TEST_CASE("manual pages are without warnings, and 80 columns wide" * long_case) {
  if (!has_program("man"))
    return skip("man");
  const scratch here;
  here.run({"man", "--out", "pages"});
  for (const auto& name : here.entries()) {
    if (!name.ends_with(".1"))
      continue;
    CAPTURE(name);
    const auto shown =
      in_bash(here, "MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l '" + name + "' | col -b");
    CHECK(shown.err == "");
    CHECK(contains(shown.out, "SYNOPSIS"));
    CHECK(widest_line(shown.out) <= 80);
  }
}

TEST_CASE("man and completion refuse what they do not know") {
  const scratch here;
  const auto unknown = here.run({"man", "rum"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "unknown command 'rum'; did you mean 'run'?"));
  const auto shell = here.run({"completion", "tcsh"});
  CHECK(shell.code == 2);
  CHECK(contains(shell.err, "tcsh"));
  CHECK(here.run({"man", "run", "--out", "x"}).code == 2);
}
