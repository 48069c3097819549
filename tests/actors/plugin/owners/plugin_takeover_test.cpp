#include "member_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// The second incarnation of the scheduler.
struct later_fixture : member_fixture {
  later_fixture() : member_fixture(false, 2) {}
};

} // namespace

TEST_CASE_FIXTURE(later_fixture, "a takeover waits for all job stores and owners") {
  parts.earlier.hear({0, session_base(1, 2), {{{1, 0}, 0}}});
  parts.earlier.deliver({0, 2, 1, true, {{slot_job(1, 2)}}});
  CHECK(parts.failover.taking_over());
  CHECK(submitted().empty());
  parts.earlier.hear({1, session_base(1, 2)});
  CHECK_FALSE(parts.failover.taking_over());
  CHECK(submitted().size() == 1);
  CHECK(counts().running == 1);
  CHECK(parts.reports.seen(0) == session_base(1, 2) + 1);
}

TEST_CASE_FIXTURE(later_fixture, "the later statement of an owner counts") {
  parts.earlier.hear({0, session_base(2, 2)});
  parts.earlier.hear({0, session_base(1, 2), {{{1, 0}, 0}}});
  parts.earlier.hear({1, session_base(1, 2)});
  parts.earlier.deliver({0, 2, 1, true, {{slot_job(1, 2)}}});
  CHECK(counts().running == 0);
  CHECK(counts().queued == 2);
}

TEST_CASE_FIXTURE(later_fixture, "what ended before the takeover is booked by it") {
  parts.earlier.deliver({0, 2, 1, true, {{slot_job(1, 1)}}});
  parts.earlier.hear({0, session_base(1, 2), {}, {{{1, 0}, 0, task_outcome::finished, at_1s}}});
  parts.earlier.hear({1, session_base(1, 2), {{{9, 0}, 2}}}); // its job is over
  CHECK(counts().finished == 1);
  CHECK(parts.failover.running.empty());
  CHECK(ends().empty());
}

TEST_CASE_FIXTURE(member_fixture, "a first incarnation takes jobs in at once") {
  parts.earlier.deliver({0, 1, 1, false, {{slot_job(1, 2)}}});
  CHECK(submitted().size() == 1);
  parts.earlier.deliver({0, 1, 1, false, {{slot_job(1, 2)}}}); // it comes again
  CHECK(submitted().empty());
}
