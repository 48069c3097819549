#include "live/live_builders.hpp"
#include "live/page_details.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace troupe;
using nlohmann::json;

namespace {

live_state state_with(std::size_t schedulers, std::uint32_t owners, std::size_t partitions) {
  const auto about = about_run(schedulers, owners, partitions);
  auto state = live_state_of(about);
  add_sample(state, sample_of_second(about, 1));
  return state;
}

} // namespace

TEST_CASE("members and partitions of a small cluster are all there") {
  const auto out = json::parse(page_details(state_with(3, 2, 5)));
  CHECK(out["schedulers"]["count"] == 3);
  CHECK(out["schedulers"]["shown"].size() == 3);
  CHECK(out["schedulers"]["shown"][2]["queued"] == 20);
  CHECK(out["schedulers"]["shown"][2]["busy"] == 0.5);
  CHECK(out["schedulers"]["shown"][2]["group"] == "batch");
  CHECK(out["owners"]["shown"][1]["machines"] == 50);
  CHECK(out["nodes"]["count"] == 0);
  const auto& p = out["partitions"];
  CHECK(p["each"] == 1);
  CHECK(p["use"] == json::parse("[0, 0.01, 0.02, 0.03, 0.04]"));
  CHECK(p["refused"] == json::parse("[1, 1, 1, 1, 1]"));
  CHECK(p["owner"] == json::parse("[0, 1, 0, 1, 0]"));
  CHECK(p["age_s"][0] == 0.2);
}

TEST_CASE("of a large cluster, the worst are shown, and it is said of how many") {
  const auto out = json::parse(page_details(state_with(60, 70, 2500)));
  CHECK(out["schedulers"]["count"] == 60);
  REQUIRE(out["schedulers"]["shown"].size() == 50);
  CHECK(out["schedulers"]["shown"][0]["number"] == 10);
  CHECK(out["owners"]["shown"].size() == 50);
  const auto& p = out["partitions"];
  CHECK(p["each"] == 3);
  CHECK(p["use"].size() == 834);
  CHECK(p["refused"][0] == 3);
  CHECK(p["refused"][833] == 1);
  CHECK(p["use"][0] == 0.01);
}

TEST_CASE("what has not been told is null") {
  const auto out = json::parse(page_details(live_state_of(about_run(2, 1, 3))));
  CHECK(out["partitions"]["use"] == json::parse("[null, null, null]"));
  CHECK(out["schedulers"]["shown"][0]["state"] == "waiting");
  CHECK(out["schedulers"]["shown"][0]["delay_p99_s"] == nullptr);
}

TEST_CASE("the view of one scheduler") {
  const auto state = state_with(2, 1, 3);
  CHECK(json::parse(ages_of(state, 1)) == json::parse("[0.2, 0.2, 0.2]"));
  CHECK(ages_of(state, 2).empty());
}
