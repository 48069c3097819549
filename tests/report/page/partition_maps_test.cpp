#include "report/page/maps/partition_grid.hpp"
#include "report/page/maps/partition_maps.hpp"
#include "report/page/maps/png_image.hpp"
#include "report/page/page.hpp"
#include "report/page/run_directory.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>

using namespace troupe;

namespace {

/// Five partitions over some seconds. Nobody tells the load of partition 3.
run_results results_of_partitions(int seconds = 4) {
  auto results = sample_results();
  for (int second = 0; second < seconds; ++second)
    for (partition_id p = 0; p < 5; ++p) {
      partition_row row{std::chrono::seconds{second}, std::chrono::seconds{second + 1}, p, 1, {}};
      row.cell.load = 0.1 * p;
      row.cell.loads = p == 3 ? 0 : 1;
      row.cell.age = 1.5;
      row.cell.ages = 3;
      row.cell.age_max = second == 1 ? 2.0 : 1.0;
      row.cell.placed = 10;
      row.cell.conflicts = p;
      results.partitions.push_back(row);
    }
  return results;
}

partition_grid grid_of(const run_directory& here) {
  return partition_grid_of(read_run_folder(here.path()).partitions);
}

std::string decoded(const std::string& base64) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : base64) {
    const auto digit = digits.find(c);
    if (digit == std::string::npos)
      break;
    bits = bits << 6 | static_cast<unsigned>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xff);
    }
  }
  return bytes;
}

} // namespace

TEST_CASE("partitions.csv comes back as a grid of intervals and partitions") {
  const run_directory here{results_of_partitions()};
  CHECK(
    here.get("partitions.csv")
      .starts_with("from_s,to_s,partition,partitions,load,age_mean_s,age_max_s,placed,conflicts\r\n"
                   "0,1,0,1,0,0.5,1,10,0\r\n0,1,1,1,0.1,0.5,1,10,1\r\n"));
  CHECK(here.get("partitions.csv").find("\r\n2,3,3,1,,0.5,1,10,3\r\n") != std::string::npos);
  const auto grid = grid_of(here);
  CHECK(grid.to == std::vector<double>{1, 2, 3, 4});
  CHECK(grid.first == std::vector<double>{0, 1, 2, 3, 4});
  CHECK(grid.partitions == 5);
  CHECK(grid.load[2 * 5 + 4] == 0.4);
  CHECK(std::isnan(grid.load[3]));
  CHECK(grid.conflict_rate()[4] == 4);
}

TEST_CASE("a grid that is too fine for a page or a table becomes coarser") {
  const auto grid = grid_of(run_directory{results_of_partitions()}).coarser(2, 3);
  CHECK(grid.from == std::vector<double>{0, 2});
  CHECK(grid.to == std::vector<double>{2, 4});
  CHECK(grid.first == std::vector<double>{0, 2, 4});
  CHECK(grid.load[0] == doctest::Approx(0.05));
  CHECK(grid.load[1] == doctest::Approx(0.2)); // of partition 2 alone
  CHECK(grid.age_max[0] == 2);
  CHECK(grid.age_max[3] == 1);
  CHECK(grid.conflicts[1] == 10);
  CHECK(grid.placed[5] == 20);
}

TEST_CASE("a page shows the partitions, with a choice of what and the values as tables") {
  const run_directory here{results_of_partitions()};
  const auto page = page_html(contents_for({here.path()}));
  for (const char* text :
       {"<h2>Partitions over time</h2>", "src=\"data:image/png;base64,", "oldest view</label>",
        "<caption>load: share of the most used resource in use, at the end of each "
        "interval</caption>",
        R"("load":[0,100,200,null,400,)", R"("age":[500,500,)"})
    CHECK_MESSAGE(page.find(text) != std::string::npos, text);
  const auto without = page_html(contents_for({run_directory{}.path()}));
  CHECK(without.find("Partitions over time") == std::string::npos);
}

TEST_CASE("a quantity that nobody has told is not to choose") {
  auto results = results_of_partitions();
  for (auto& row : results.partitions)
    row.cell.ages = 0;
  const run_directory here{results};
  const std::vector<run_folder> runs{read_run_folder(here.path())};
  const std::vector<std::vector<run_mark>> marks{
    {{2, "takeover", "owner.0: taken over by <x>"}, {3, "failure", "kill machine.1", true}}};
  const auto maps = partition_maps_of(runs, marks);
  CHECK(maps.html.find(">load</label>") != std::string::npos);
  CHECK(maps.html.find(">age</label>") == std::string::npos);
  CHECK(maps.html.find("class=\"takeover\" style=\"left:50.00%\" title=\"owner.0: taken over by "
                       "&lt;x&gt;\"") != std::string::npos);
  CHECK(maps.html.find("machine.1") == std::string::npos);
}

TEST_CASE("many runs share the room for cells") {
  auto results = results_of_partitions(200);
  const run_directory here{results};
  const std::vector<run_folder> runs(40, read_run_folder(here.path()));
  const auto maps = partition_maps_of(runs, std::vector<std::vector<run_mark>>(40));
  std::size_t cells = 0;
  for (const auto& map : maps.data)
    cells += map["load"].size();
  CHECK(maps.data.size() == 40);
  CHECK(cells <= most_map_cells);
  CHECK(cells > most_map_cells / 2);
}

TEST_CASE("an image has a transparent colour and levels of one colour") {
  const shaded_image image{2, {0, shaded_image::none, shaded_image::darkest, 7, 7, 7}, 1, 2, 3};
  const auto address = png_address(image);
  // The signature, and a header of 2 by 3 pixels that are numbers of colours.
  CHECK(address.starts_with("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAM"));
  const auto bytes = decoded(address.substr(address.find(',') + 1));
  CHECK(bytes.starts_with("\x89PNG\r\n\x1a\n"));
  CHECK(bytes.find("PLTE\x01\x02\x03\x01\x02\x03") != std::string::npos);
  CHECK(bytes.ends_with("IEND\xae\x42\x60\x82")); // with its sum
  CHECK(address == png_address(image));
}
