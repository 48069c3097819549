#include "model/live/live_book.hpp"
#include "model/live/live_report.hpp"
#include "nodes/client/cluster_live.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

live_about about(const std::string& run) {
  live_about a;
  a.run = run;
  a.groups = {{"a", "adaptive", 1}};
  a.group_of = {0};
  a.policies = {"adaptive"};
  return a;
}

/// A cluster with a run of as many samples, in one process.
class sampled_cluster final : public cluster_source {
public:
  explicit sampled_cluster(int samples) {
    for (int i = 0; i < samples; ++i) {
      live_sample s;
      s.from = i * 1s;
      s.to = (i + 1) * 1s;
      s.groups.resize(1);
      s.schedulers.push_back({0, 1, s.groups[0], {}});
      add_sample(state_, s);
    }
  }

  cluster_report status() override { return {}; }
  live_report live(const live_request& asked) override { return report_of(state_, asked); }
  story_reply story(const story_request&) override { return {}; }

private:
  live_state state_ = live_state_of(about("1"));
};

/// A cluster that always has as many rows as a report may have, and in each report says that the
/// run is another one if `renames`.
class endless_cluster final : public cluster_source {
public:
  endless_cluster(int& asked, bool renames) : asked_(asked), renames_(renames) {}

  cluster_report status() override { return {}; }
  live_report live(const live_request& asked) override {
    REQUIRE(++asked_ < 1000);
    live_report r;
    r.about = about(renames_ ? std::to_string(asked_) : "1");
    r.rows.resize(most_rows_told);
    for (auto& row : r.rows)
      row.number = asked.after + 1;
    return r;
  }
  story_reply story(const story_request&) override { return {}; }

private:
  int& asked_;
  bool renames_;
};

} // namespace

TEST_CASE("one poll of a cluster takes all rows that it keeps") {
  for (const int samples : {1, 100, 101, 600}) {
    CAPTURE(samples);
    cluster_live live{[=] { return std::make_unique<sampled_cluster>(samples); }};
    CHECK(live.poll().empty());
    CHECK(live.shown().series.recent().size() == static_cast<std::size_t>(samples));
  }
}

TEST_CASE("a poll ends although a cluster always has more rows") {
  for (const bool renames : {false, true}) {
    CAPTURE(renames);
    int asked = 0;
    cluster_live live{[&] { return std::make_unique<endless_cluster>(asked, renames); }};
    CHECK(live.poll().empty());
    const auto first = asked;
    CHECK(first <= 10);
    CHECK(live.poll().empty());
    CHECK(asked == 2 * first);
  }
}
