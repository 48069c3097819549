#include "report/explain/task_story.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("a gang that waits for its tenant's maximum was not passed over for lack of room") {
  auto gang = slot_job(1, 4);
  gang.gang = true;
  std::vector<watched_event> events(4);
  events[0].what = watched::submitted;
  events[0].since = 0s;
  const std::pair<watched, wait_reason> attempts[] = {
    {watched::set_aside, wait_reason::tenant_at_maximum},
    {watched::passed_over, wait_reason::gang_incomplete},
    {watched::set_aside, wait_reason::gang_incomplete}};
  for (std::size_t i = 0; i < std::size(attempts); ++i) {
    auto& e = events[i + 1];
    e.at = std::chrono::seconds{i + 1};
    std::tie(e.what, e.why) = attempts[i];
    e.count = 3 - i;
  }
  const auto story = tell_story(gang, 2, events, 10s);
  CHECK(story.gang.passed_over == 2);
  CHECK(story.gang.since == 2s);
  CHECK(story.gang.most_placed == 1);
  REQUIRE(story.waits.size() == 3);
  CHECK(story.waits[1].why == wait_reason::tenant_at_maximum);
  CHECK(story.waits[1].from == 1s);
  CHECK(story.waits[2].why == wait_reason::gang_incomplete);
  CHECK(story.waits[2].from == 2s);
}
