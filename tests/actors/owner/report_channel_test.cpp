#include "actors/owner/report_channel.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

struct report_channel_fixture {
  report_channel<capacity_report> channel{4};

  std::optional<capacity_report> report(machine_id freed, instant now) {
    channel.next.freed.push_back({freed, 0, resources::of_slots(1)});
    return channel.report(now);
  }
};

} // namespace

TEST_CASE_FIXTURE(report_channel_fixture, "news go out once, in numbered reports") {
  CHECK_FALSE(channel.report(0s));
  const auto first = report(7, 1s);
  REQUIRE(first);
  CHECK(first->owner == 4);
  CHECK(first->number == 1);
  CHECK(first->freed.at(0).machine == 7);
  CHECK_FALSE(channel.report(1s));
  CHECK(report(8, 2s)->number == 2);
  CHECK(channel.number() == 2);
}

TEST_CASE_FIXTURE(report_channel_fixture, "an overdue report is sent again, and later once more") {
  report(7, 1s);
  report(8, 2s);
  CHECK(channel.overdue(2s, 2s).empty());
  auto again = channel.overdue(3s, 2s);
  REQUIRE(again.size() == 1);
  CHECK(again[0].number == 1);
  CHECK(again[0].freed.at(0).machine == 7);
  CHECK(channel.overdue(4s, 2s).empty());
  again = channel.overdue(5s, 2s);
  REQUIRE(again.size() == 2);
  CHECK(again[1].number == 2);
  CHECK(report(9, 99s)->number == 3); // a new report waits for no other
}

TEST_CASE_FIXTURE(report_channel_fixture, "acknowledged reports are forgotten") {
  for (machine_id m = 0; m < 3; ++m)
    report(m, 1s);
  std::vector<std::uint64_t> seen;
  channel.seen(2, 2s, [&](const capacity_report& r) { seen.push_back(r.number); });
  CHECK(seen == std::vector<std::uint64_t>{1, 2});
  CHECK(channel.has_unseen());
  const auto again = channel.overdue(9s, 2s);
  REQUIRE(again.size() == 1);
  CHECK(again[0].number == 3);
  channel.seen(3, 9s);
  CHECK_FALSE(channel.has_unseen());
}

TEST_CASE_FIXTURE(report_channel_fixture, "a session begins without news, after its base") {
  report(7, 1s);
  channel.next.freed.push_back({8, 0, resources::of_slots(1)});
  const auto base = session_base(2, 3);
  channel.restart(base);
  CHECK_FALSE(channel.has_unseen());
  CHECK_FALSE(channel.report(1s));
  CHECK(report(9, 2s)->number == base + 1);
  channel.seen(1, 3s);                      // of the session before
  channel.seen(session_base(9, 9) + 1, 3s); // of another one
  CHECK(channel.has_unseen());
  channel.seen(base + 1, 3s);
  CHECK_FALSE(channel.has_unseen());
}
