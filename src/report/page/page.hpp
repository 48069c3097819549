#pragma once

#include "report/page/plots/figures.hpp"
#include "report/page/runs/run_folder.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// The values of a column that were expected over a span of a run, shown behind its line.
struct page_band {
  std::string column;  ///< of timeseries.csv
  std::size_t run = 0; ///< its number on the page
  std::string group{}; ///< empty: any
  double from_s = 0;
  double to_s = 0;
  std::optional<double> min{};
  std::optional<double> max{};
  std::string text{}; ///< the expectation
};

/// A value that a paper states over a span of a run, drawn as a line among those of the runs.
struct page_line {
  std::string column;  ///< of timeseries.csv
  std::size_t run = 0; ///< its number on the page
  std::string group{}; ///< empty: any
  double from_s = 0;
  double to_s = 0;
  double value = 0;
  std::string text{}; ///< the paper's words
};

/// The contents of a `report.html`. Every part may be empty.
struct page_contents {
  std::string title;
  std::string sentence{};           ///< about the runs; empty: about each of them
  bool results_first = false;       ///< tables and figures come before the parts about runs
  std::vector<run_folder> runs{};   ///< shown in the same plots
  std::string runs_note{};          ///< which of more runs these are
  std::vector<page_band> bands{};   ///< in the plots over time
  std::vector<page_line> lines{};   ///< likewise
  std::string runs_about{};         ///< above the plots over time
  std::vector<html_table> tables{}; ///< results beside those of the runs
  std::vector<std::string> notes{}; ///< below these tables
  std::vector<figure> figures{};
  std::vector<heat_map> heat_maps{};
  html_table host{};     ///< figures that depend on the host
  std::string command{}; ///< that makes it again
};

/// Renders one self-contained page. Equal contents give equal bytes; all that depends on the host
/// is in one element (see `host_part.hpp`).
std::string page_html(const page_contents& contents);

/// Writes such a page atomically. Throws `std::runtime_error` with a message for the user if it
/// cannot.
void write_page(const std::filesystem::path& file, const page_contents& contents);

/// Returns the contents of a page about the results in a directory, whose runs may be several: they
/// are compared in the same plots.
page_contents contents_for(const std::vector<std::filesystem::path>& directories);

} // namespace troupe
