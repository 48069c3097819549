#include "support/run_report.hpp"

#include "report/results/results_directory.hpp"

#include <CLI/CLI.hpp>

#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

namespace troupe {

namespace fs = std::filesystem;

namespace {

void complain(const fs::path& file, const std::exception& e) {
  std::cerr << "troupe: no report in " << file.string() << ": " << e.what() << std::endl;
}

} // namespace

std::string for_shell(const std::string& word) {
  constexpr auto plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
    return word;
  std::string out = "'";
  for (char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void add_report_option(CLI::App& command, bool& none) {
  command.add_flag("--no-report", none, "Do not write report.html, the page with plots");
}

void report_run(const fs::path& directory, bool quiet) {
  const auto file = directory / results_directory::report_name;
  try {
    write_page(file, contents_for({directory}));
    if (!quiet)
      std::cout << "plots in " << file.string() << std::endl;
  } catch (const std::exception& e) {
    complain(file, e);
  }
}

void report_page(const fs::path& file, const page_contents& contents, bool quiet) {
  try {
    write_page(file, contents);
    if (!quiet)
      std::cerr << "plots in " << file.string() << std::endl;
  } catch (const std::exception& e) {
    complain(file, e);
  }
}

std::vector<run_folder> first_seeds(std::span<const run_result> results,
                                    const fs::path& directory) {
  std::vector<run_folder> runs;
  for (const auto& result : results) {
    if (result.seeds.empty() || !result.seeds.front().summary.is_object())
      continue;
    const auto& plan = result.plan;
    const auto folder = directory / (plan.folder.empty() ? fs::path(plan.name) : plan.folder) /
                        ("seed-" + std::to_string(result.seeds.front().seed));
    runs.push_back(read_run_folder(folder, plan.name));
  }
  return runs;
}

html_table page_table(const value_table& table, std::string caption, bool of_texts) {
  return {std::move(caption), table.header, table.rows, of_texts};
}

std::string own_command() {
  std::ifstream in{"/proc/self/cmdline", std::ios::binary};
  std::string text;
  std::string command;
  for (bool first = true; std::getline(in, text, '\0'); first = false)
    command += first ? "troupe" : " " + for_shell(text);
  return command;
}

} // namespace troupe
