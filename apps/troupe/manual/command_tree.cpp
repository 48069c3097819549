#include "manual/command_tree.hpp"

#include "support/option_hints.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>

namespace troupe {

namespace {

value_kind kind_by_name(const std::string& value) {
  if (value == "DIR")
    return value_kind::directory;
  if (value == "FILE" || value == "FILES" || value == "PATH" || value == "CONFIG" || value == "OUT")
    return value_kind::file;
  return value_kind::text;
}

/// Returns the name of a value without the range that CLI11 may add: "N" of "N:INT in [1 - 9]".
std::string without_range(const std::string& name) {
  const auto range = name.find(" in [");
  return range == std::string::npos ? name : name.substr(0, name.rfind(':', range));
}

void take_hint(parameter& p, option_hint hint) {
  switch (hint.what) {
  case option_hint::form::none:
    return;
  case option_hint::form::words:
    p.kind = value_kind::words;
    p.words = std::move(hint.words);
    return;
  case option_hint::form::list:
    p.kind = value_kind::list;
    p.words = std::move(hint.words);
    return;
  case option_hint::form::settings:
    p.kind = value_kind::settings;
    p.prefix = hint.words.empty() ? "" : hint.words.front();
  }
}

parameter parameter_of(CLI::Option& option) {
  parameter p;
  p.meaning = option.get_description();
  p.standard = option.get_default_str();
  p.required = option.get_required();
  p.repeated = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  if (option.get_positional()) {
    p.names = {option.get_name(true)};
    p.kind = kind_by_name(p.names.front());
  } else {
    for (const auto& name : option.get_lnames())
      p.names.push_back("--" + name);
    for (const auto& name : option.get_snames())
      p.names.push_back('-' + name);
    if (option.get_items_expected_max() == 0) {
      p.kind = value_kind::none;
      p.repeated = false;
      return p;
    }
    p.value = without_range(option.get_type_name());
    const bool sets = p.names.front() == "--set" || p.names.front() == "--vary";
    p.kind = sets ? value_kind::settings : kind_by_name(p.value);
  }
  take_hint(p, hint_of(option));
  return p;
}

command_node node_of(CLI::App& app, const std::string& name) {
  command_node node;
  node.name = name;
  node.meaning = app.get_description();
  node.footer = app.get_footer();
  node.needs_command = app.get_require_subcommand_min() > 0;
  for (auto* option : app.get_options()) {
    if (option->get_group().empty())
      continue;
    auto& to = option->get_positional() ? node.arguments : node.options;
    to.push_back(parameter_of(*option));
  }
  for (auto* inner : app.get_subcommands([](CLI::App*) { return true; }))
    node.commands.push_back(node_of(*inner, name + ' ' + inner->get_name()));
  return node;
}

void collect(const command_node& node, std::vector<const command_node*>& into) {
  into.push_back(&node);
  for (const auto& inner : node.commands)
    collect(inner, into);
}

} // namespace

std::string command_node::own_name() const {
  return name.substr(name.rfind(' ') + 1); // npos + 1 is 0
}

command_node tree_of(CLI::App& app) {
  auto root = node_of(app, app.get_name());
  root.needs_command = true;
  std::vector<std::string> names;
  for (const auto& command : root.commands)
    names.push_back(command.own_name());
  for (auto& command : root.commands)
    for (auto& argument : command.arguments)
      if (argument.names.front() == "COMMAND") {
        argument.kind = value_kind::words;
        argument.words = names;
      }
  return root;
}

std::vector<const command_node*> all_commands(const command_node& node) {
  std::vector<const command_node*> all;
  collect(node, all);
  return all;
}

std::vector<parameter> options_with_global(const command_node& root, const command_node& of) {
  auto all = of.options;
  for (const auto& option : root.options)
    if (std::ranges::none_of(all, [&](const parameter& p) { return p.names == option.names; }) &&
        option.names.front() != "--version")
      all.push_back(option);
  if (&root == &of)
    all = of.options;
  return all;
}

} // namespace troupe
