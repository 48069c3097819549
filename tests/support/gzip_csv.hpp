#pragma once

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace troupe::test {

/// Returns the lines of a gzip file.
inline std::vector<std::string> gzip_lines(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  boost::iostreams::filtering_istream in;
  in.push(boost::iostreams::gzip_decompressor{});
  in.push(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

/// Returns the cells of a line without quotes.
inline std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in{line + ","};
  for (std::string cell; std::getline(in, cell, ',');)
    cells.push_back(cell);
  return cells;
}

/// Returns the rows of a gzipped CSV file without quotes, by heading.
inline std::vector<std::map<std::string, std::string>>
gzip_rows(const std::filesystem::path& path) {
  const auto lines = gzip_lines(path);
  std::vector<std::map<std::string, std::string>> rows;
  const auto header = csv_cells(lines.at(0));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto cells = csv_cells(lines[i]);
    auto& row = rows.emplace_back();
    for (std::size_t c = 0; c < header.size(); ++c)
      row[header[c]] = cells.at(c);
  }
  return rows;
}

} // namespace troupe::test
