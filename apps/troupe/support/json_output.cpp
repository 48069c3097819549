#include "support/json_output.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <string_view>
#include <utility>

namespace troupe {

namespace {

bool json_is_printed = false;

void print_value(const nlohmann::ordered_json& members) {
  json_is_printed = true;
  nlohmann::ordered_json all{{"format", json_format}};
  all.update(members);
  // Names may hold bytes that are no UTF-8; they are replaced.
  std::cout << all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
            << std::endl;
}

} // namespace

void add_json_option(CLI::App& command, bool& wanted) {
  command.add_flag("--json", wanted, "Print JSON, as docs/json.md describes");
}

void print_json(const nlohmann::ordered_json& result) {
  print_value(result);
}

void print_json_error(const std::string& message) {
  if (!json_is_printed)
    print_value({{"error", message}});
}

bool asks_for_json(int argc, const char* const* argv) {
  std::string_view before;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--json" || word == "--format=json" || (before == "--format" && word == "json"))
      return true;
    before = word;
  }
  return false;
}

} // namespace troupe
