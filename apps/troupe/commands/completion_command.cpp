#include "commands/commands.hpp"
#include "manual/completions.hpp"
#include "support/option_hints.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace troupe {

namespace {

constexpr const char* completion_examples = R"(Examples:
  troupe completion bash > ~/.local/share/bash-completion/completions/troupe
  troupe completion zsh > ~/.zfunc/_troupe
  troupe completion fish > ~/.config/fish/completions/troupe.fish

The script completes commands, options, files and directories, the values of options, and settings
after --set and --vary. In bash, 'source <(troupe completion bash)' is enough for one session. In
zsh, the folder must be in $fpath before compinit runs. 'cmake --install' puts the scripts where
the shells look for them.)";

int print_completion(CLI::App& app, const std::string& shell) {
  const auto root = tree_of(app);
  const auto settings = setting_keys();
  std::cout << (shell == "bash"  ? bash_completion(root, settings)
                : shell == "zsh" ? zsh_completion(root, settings)
                                 : fish_completion(root, settings));
  return exit_code::done;
}

} // namespace

void add_completion_command(CLI::App& app, action& chosen) {
  auto* command =
    app.add_subcommand("completion", "Print a script that completes commands in a shell");
  command->footer(completion_examples);
  auto shell = std::make_shared<std::string>();
  auto* option =
    command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("");
  choose_from(option, {"bash", "zsh", "fish"});
  command->callback(
    [&app, &chosen, shell] { chosen = [&app, shell] { return print_completion(app, *shell); }; });
}

} // namespace troupe
