#pragma once

#include "experiments/processes/execute.hpp"
#include "experiments/sweeps/value_table.hpp"
#include "report/page/page.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace troupe {

/// Adds --no-report to `command`; `none` must outlive it.
void add_report_option(CLI::App& command, bool& none);

/// Writes `report.html` about the run in `directory` into it. If it cannot, says why on stderr, and
/// the run counts all the same. Unless `quiet`, prints the page's place.
void report_run(const std::filesystem::path& directory, bool quiet);

/// The same for a page with other contents; the place is printed on stderr, as stdout has results.
void report_page(const std::filesystem::path& file, const page_contents& contents, bool quiet);

/// Reads the first seed of each of `results`, whose directories are below `directory`, for the
/// plots of a page. Those without results are left out.
std::vector<run_folder> first_seeds(std::span<const run_result> results,
                                    const std::filesystem::path& directory);

/// Returns a table of a page.
html_table page_table(const value_table& table, std::string caption, bool of_texts = false);

/// Returns a word quoted for a shell, if it needs quotes.
std::string for_shell(const std::string& word);

/// Returns the words of this program's command line, quoted for a shell.
std::string own_command();

} // namespace troupe
