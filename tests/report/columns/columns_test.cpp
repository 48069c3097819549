#include "report/columns/columns.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

using namespace troupe;

namespace {

std::string file_text(const std::string& path) {
  std::ifstream file{TROUPE_SOURCE_DIR "/" + path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// Returns the first line that differs.
std::string first_difference(const std::string& a, const std::string& b) {
  std::istringstream left{a};
  std::istringstream right{b};
  std::string from_left;
  std::string from_right;
  while (std::getline(left, from_left))
    if (!std::getline(right, from_right) || from_left != from_right)
      return from_left;
  return std::getline(right, from_right) ? from_right : "";
}

} // namespace

TEST_CASE("the page of the columns is that of the code") {
  INFO("docs/columns.md differs from src/report/columns; ./dev reference writes it");
  CHECK(first_difference(columns_page(), file_text("docs/columns.md")) == "");
}

TEST_CASE("each column has a meaning, and a unit if its name has one") {
  for (const auto& columns :
       {timeseries_columns(), job_columns(), task_columns(), attempt_columns(), scheduler_columns(),
        partition_columns(), delay_columns(), share_columns(), event_columns()}) {
    std::set<std::string_view> names;
    for (const auto& c : columns) {
      CAPTURE(c.name);
      CHECK(names.insert(c.name).second);
      CHECK(!c.meaning.empty());
      CHECK(c.meaning.find('|') == c.meaning.npos); // it is a cell of a table
      if (c.name.ends_with("_s"))
        CHECK(c.unit.ends_with('s'));
    }
  }
}

TEST_CASE("the names of columns are a header") {
  CHECK(names_of(share_columns()) == "from_s,to_s,tenant,share_mean,share_last");
  CHECK(names_of({}) == "");
}
