#include "report/columns/columns.hpp"
#include "report/metrics/metric_table.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

/// troupe_reference DOCS: writes the pages of reference that are made from tables in the code:
/// DOCS/columns.md, and the table of DOCS/metrics.md. Prints the names of those that have changed.
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

void write(const fs::path& file, const std::string& text) {
  if (read(file) == text)
    return;
  std::ofstream out{file, std::ios::binary};
  if (!(out << text << std::flush))
    throw std::runtime_error{file.string() + " cannot be written"};
  std::cout << file.string() << '\n';
}

/// Returns the page with its first table replaced.
std::string with_table(std::string page, const std::string& table) {
  const auto begin = page.find("\n| ") + 1;
  if (begin == 0)
    throw std::runtime_error{"metrics.md has no table; expected one to replace"};
  const auto end = page.find("\n\n", begin);
  return page.replace(begin, (end == page.npos ? page.size() : end + 1) - begin, table);
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: troupe_reference DOCS\n";
    return 2;
  }
  try {
    const fs::path docs{argv[1]};
    write(docs / "columns.md", troupe::columns_page());
    const auto metrics = docs / "metrics.md";
    write(metrics, with_table(read(metrics), troupe::metric_table_text()));
  } catch (const std::exception& failure) {
    std::cerr << "troupe_reference: " << failure.what() << '\n';
    return 1;
  }
}
