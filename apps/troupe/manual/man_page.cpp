#include "manual/man_page.hpp"

#include "manual/roff.hpp"
#include "manual/shell_text.hpp"

#include <algorithm>
#include <vector>

namespace troupe {

namespace {

constexpr std::string_view exit_codes = "Exit codes: ";

/// The footer of a help text in parts.
struct footer_parts {
  std::string examples;
  std::vector<std::string> paragraphs;
  std::string exit_codes; ///< without the title
};

void add_paragraph(footer_parts& parts, std::string& paragraph) {
  if (paragraph.starts_with(exit_codes))
    parts.exit_codes = paragraph.substr(exit_codes.size());
  else if (!paragraph.empty())
    parts.paragraphs.push_back(paragraph);
  paragraph.clear();
}

footer_parts parts_of(std::string_view footer) {
  footer_parts parts;
  std::string paragraph;
  while (!footer.empty()) {
    const auto end = footer.find('\n');
    const auto line = footer.substr(0, end);
    footer.remove_prefix(end == std::string_view::npos ? footer.size() : end + 1);
    if (line.empty())
      add_paragraph(parts, paragraph);
    else if (line.starts_with("  "))
      parts.examples += std::string(line.substr(2)) + '\n';
    else if (line != "Examples:")
      paragraph += (paragraph.empty() ? "" : " ") + std::string(line);
  }
  add_paragraph(parts, paragraph);
  return parts;
}

std::string sentence(std::string text) {
  if (!text.empty() && !text.ends_with('.'))
    text += '.';
  return text;
}

void add_synopsis(roff_page& page, const command_node& of) {
  page.section("SYNOPSIS");
  const auto start =
    roff_bold(of.name) + (of.options.empty() ? "" : " [" + roff_italic("OPTION") + "...]");
  if (!of.needs_command) {
    auto line = start;
    for (const auto& argument : of.arguments) {
      const auto name = roff_italic(argument.names.front()) + (argument.repeated ? "..." : "");
      line += argument.required ? ' ' + name : " [" + name + ']';
    }
    page.line(line);
  }
  if (!of.commands.empty()) {
    if (!of.needs_command)
      page.line(".br");
    page.line(start + ' ' + roff_italic("COMMAND") + " ...");
  }
}

std::string meaning_of(const parameter& p) {
  auto text = p.meaning;
  const bool listed = std::ranges::all_of(
    p.words, [&](const std::string& word) { return text.find(word) != std::string::npos; });
  if (!p.words.empty() && !listed)
    text += "; one of " + joined(p.words, ", ");
  if (!p.standard.empty() && text.find("default") == std::string::npos)
    text += "; default: " + p.standard;
  if (p.required && !p.value.empty())
    text += "; required";
  return sentence(text);
}

void add_options(roff_page& page, std::string_view title, const std::vector<parameter>& options) {
  if (options.empty())
    return;
  page.section(title);
  for (const auto& option : options) {
    std::string head;
    for (const auto& name : option.names)
      head += (head.empty() ? "" : ", ") + roff_bold(name);
    if (!option.value.empty())
      head += ' ' + roff_italic(option.value);
    page.entry(head, meaning_of(option));
  }
}

void add_arguments(roff_page& page, const command_node& of) {
  if (of.arguments.empty())
    return;
  page.section("ARGUMENTS");
  for (const auto& argument : of.arguments)
    page.entry(roff_italic(argument.names.front()), meaning_of(argument));
}

void add_commands(roff_page& page, const command_node& of) {
  if (of.commands.empty())
    return;
  page.section("COMMANDS");
  for (const auto& command : of.commands)
    page.entry(roff_bold(command.name), sentence(command.meaning));
}

void add_environment(roff_page& page) {
  page.section("ENVIRONMENT");
  page.entry(roff_bold("NO_COLOR"),
             "If it is set and not empty, nothing is shown in colours, unless --color says so.");
  page.entry(roff_bold("FORCE_COLOR"),
             "If it is set and not empty, colours are used even where the output is no terminal. "
             "NO_COLOR takes precedence.");
  page.entry(roff_bold("TERM"), "With the value dumb, no line is written over and nothing is in "
                                "colours.");
}

void add_see_also(roff_page& page, const command_node& root, const command_node& of) {
  std::vector<std::string> names;
  const auto space = of.name.rfind(' ');
  const auto outer = space == std::string::npos ? "" : of.name.substr(0, space);
  for (const auto* node : all_commands(root))
    if (node->name == outer || (node->name.starts_with(of.name + ' ') &&
                                node->name.find(' ', of.name.size() + 1) == std::string::npos))
      names.push_back(roff_bold(man_page_name(*node)) + "(1)");
  if (names.empty())
    return;
  page.section("SEE ALSO");
  page.line(joined(names, ", "));
}

} // namespace

std::string man_page_name(const command_node& of) {
  auto name = of.name;
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string man_page(const command_node& root, const command_node& of, const std::string& version) {
  const auto name = man_page_name(of);
  const auto parts = parts_of(of.footer);
  roff_page page{name, version};
  page.section("NAME");
  page.line(roff_text(name) + " \\- " + roff_text(of.meaning));
  add_synopsis(page, of);
  page.section("DESCRIPTION");
  page.paragraph(sentence(of.meaning));
  for (const auto& paragraph : parts.paragraphs)
    page.paragraph(paragraph);
  add_commands(page, of);
  add_arguments(page, of);
  add_options(page, "OPTIONS", of.options);
  if (&of != &root) {
    auto global = options_with_global(root, of);
    std::erase_if(global, [&](const parameter& p) {
      return std::ranges::any_of(of.options,
                                 [&](const parameter& own) { return own.names == p.names; });
    });
    add_options(page, "GLOBAL OPTIONS", global);
  }
  page.section("EXIT STATUS");
  page.paragraph(parts_of(root.footer).exit_codes);
  add_environment(page);
  if (!parts.examples.empty()) {
    page.section("EXAMPLES");
    page.example(parts.examples);
  }
  add_see_also(page, root, of);
  return page.text();
}

} // namespace troupe
