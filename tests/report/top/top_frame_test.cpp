#include "report/metrics/watched_state.hpp"
#include "report/text/text.hpp"
#include "report/top/live_json.hpp"
#include "report/top/top_frame.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace troupe;
using namespace troupe::test;

namespace {

std::string in_one(const std::vector<std::string>& lines) {
  std::string all;
  for (const auto& l : lines)
    all += l + '\n';
  return all;
}

bool has(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("a frame fits into screens of every size") {
  auto state = watched_state("cluster");
  state.schedulers.resize(300, state.schedulers[0]);
  state.nodes.push_back(
    {"a-node-with-a-very-long-name", {"master", "workload"}, live_node_state::joined});
  for (std::size_t width : {20, 60, 80, 200})
    for (std::size_t height : {1, 11, 12, 24, 60})
      for (const auto table :
           {top_table::schedulers, top_table::owners, top_table::nodes, top_table::events})
        for (const bool help : {false, true}) {
          top_view view{.width = width, .height = height, .table = table};
          view.help = help;
          const auto lines = top_frame(state, view);
          CHECK(lines.size() <= height);
          for (const auto& line : lines)
            CHECK(columns(line) <= width);
        }
}

TEST_CASE("a small screen says what is needed") {
  const auto lines = top_frame(watched_state("cluster"), {.width = 59, .height = 24});
  REQUIRE(lines.size() == 1);
  CHECK(has(lines[0], "needs 60 columns and 12 lines"));
}

TEST_CASE("a frame shows totals, and the table that was chosen") {
  auto state = watched_state("cluster");
  state.nodes.push_back({"node-1", {"master"}, live_node_state::joined});
  state.nodes.push_back({"node-2", {"owner"}, live_node_state::gone});
  const auto frame = in_one(top_frame(state, {}));
  CAPTURE(frame);
  CHECK(has(frame, "troupe top  watched  parsync"));
  CHECK(has(frame, "nodes 1, 1 gone"));
  CHECK(has(frame, "queued          30"));
  CHECK(has(frame, "submitted     14/s"));
  CHECK(has(frame, "cpu  40 % [#######           ]"));
  CHECK(has(frame, "p99: ||\n")); // two samples with equal delays
  CHECK(has(frame, "adaptive"));
  CHECK(has(frame, "takeover owner.0: incarnation 2"));
  CHECK_FALSE(has(frame, "\x1b"));
  CHECK(has(in_one(top_frame(state, {.table = top_table::nodes})), "node-2"));
  CHECK(has(in_one(top_frame(state, {.table = top_table::owners})), "takeovers"));
}

TEST_CASE("rows are sorted by the greatest, and filtered") {
  auto state = watched_state("cluster");
  top_view view;
  view.sort = 4; // the queue
  const auto frame = in_one(top_frame(state, view));
  CHECK(has(frame, "queue*"));
  CHECK(frame.find("   1 b ") < frame.find("   0 a "));
  view.filter = "b  ";
  const auto filtered = in_one(top_frame(state, view));
  CHECK(has(filtered, "   1 b "));
  CHECK_FALSE(has(filtered, "   0 a "));
  view.filter = "nothing like this";
  CHECK(has(in_one(top_frame(state, view)), "No row has the text"));
}

TEST_CASE("colours and blocks come only where they are wanted") {
  auto state = watched_state("cluster");
  state.schedulers[0].life.state = member_state::silent;
  top_view view;
  view.color = true;
  CHECK(has(in_one(top_frame(state, view)), "\x1b[31m"));
  CHECK_FALSE(has(in_one(top_frame(state, view)), "█"));
  view.utf8 = true;
  CHECK(has(in_one(top_frame(state, view)), "█"));
}

TEST_CASE("empty views say why") {
  CHECK(has(in_one(top_frame({}, {})), "No workload has begun yet"));
  CHECK(has(in_one(top_frame(watched_state("real"), {.table = top_table::nodes})),
            "no cluster of nodes"));
  live_about about;
  about.run = "1";
  about.policies = {"batch-sampling"};
  auto probing = live_state_of(about);
  CHECK(has(in_one(top_frame(probing, {})), "first sample has not been taken"));
  CHECK(has(in_one(top_frame(probing, {.table = top_table::owners})), "no partition owners"));
}

TEST_CASE("a block for a file has no table and no escapes") {
  const auto block = top_block(watched_state("cluster"));
  CHECK(has(block, "Tasks"));
  CHECK(has(block, "Event"));
  CHECK_FALSE(has(block, "\x1b"));
  CHECK(block.back() == '\n');
}

TEST_CASE("JSON has the members and the figures of the last sample") {
  const auto told = live_json(watched_state("cluster"));
  CHECK(told.at("tasks").at("queued") == 30);
  CHECK(told.at("interval").at("submitted_per_s") == 14);
  CHECK(told.at("schedulers").size() == 2);
  CHECK(told.at("schedulers")[1].at("queued") == 20);
  CHECK(told.at("owners")[0].at("takeovers") == 1);
  CHECK(told.at("events").size() == 1);
  CHECK(live_json({}).at("interval").at("submitted_per_s").is_null());
}
