#include "commands/commands.hpp"
#include "manual/man_page.hpp"
#include "settings/checks/nearest_name.hpp"
#include "support/result_files.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

namespace {

constexpr const char* man_examples = R"(Examples:
  troupe man | man -l -
  troupe man run | man -l -
  troupe man trace fit > troupe-trace-fit.1
  troupe man --out share/man/man1

Pages are in roff, for section 1. --out writes the pages of the program and of all commands; 'cmake
--install' does so, too.)";

struct man_options {
  std::vector<std::string> words;
  std::string out;
};

constexpr const char* page_version = "troupe " TROUPE_VERSION;

const command_node& node_named(const command_node& root, const std::vector<std::string>& words) {
  const auto* at = &root;
  for (const auto& word : words) {
    std::vector<std::string> names;
    const command_node* next = nullptr;
    for (const auto& command : at->commands) {
      names.push_back(command.own_name());
      if (names.back() == word)
        next = &command;
    }
    if (next == nullptr) {
      const std::vector<std::string_view> known(names.begin(), names.end());
      const auto nearest = nearest_name(word, known);
      throw usage_error{"man: unknown command '" + word + '\'' +
                        (nearest.empty() ? "" : "; did you mean '" + std::string(nearest) + "'?")};
    }
    at = next;
  }
  return *at;
}

int write_pages(CLI::App& app, const man_options& options) {
  const auto root = tree_of(app);
  if (options.out.empty()) {
    std::cout << man_page(root, node_named(root, options.words), page_version);
    return exit_code::done;
  }
  if (!options.words.empty())
    throw usage_error{"man: --out with a command; expected one of them, as --out writes all pages"};
  for (const auto* node : all_commands(root))
    write_text(options.out, man_page_name(*node) + ".1", man_page(root, *node, page_version));
  return exit_code::done;
}

} // namespace

void add_man_command(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("man", "Print the manual page of a command");
  command->footer(man_examples);
  auto options = std::make_shared<man_options>();
  command->add_option("COMMAND", options->words, "The command; default: the whole program")
    ->type_name("");
  command->add_option("--out", options->out, "Write all pages into DIR")->type_name("DIR");
  command->callback(
    [&app, &chosen, options] { chosen = [&app, options] { return write_pages(app, *options); }; });
}

} // namespace troupe
