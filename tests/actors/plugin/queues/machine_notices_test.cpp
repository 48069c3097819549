#include "actors/plugin/queues/machine_notices.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;

namespace {

struct notices_fixture {
  catalog machines = even_catalog(2, 1, 2);
  queue_plugin_outbox told;
  machine_notices notices{machines, told};
  const resources whole = resources::of_slots(2);

  /// Both machines are there when the plugin begins.
  void begin() {
    notices.tell(0, whole);
    notices.tell(1, whole);
    notices.begin();
  }
};

} // namespace

TEST_CASE_FIXTURE(notices_fixture, "a plugin is first told of the machines that are not there") {
  notices.tell(0, whole);
  told.submit({slot_job(1, 1)});
  CHECK(notices.is_void(0));
  CHECK(notices.count(1) == 0);
  notices.begin();
  notices.begin();
  const auto all = told.take();
  REQUIRE(all.size() == 2);
  CHECK(std::get<capacity_notice>(all[0]).machine == 1);
  CHECK_FALSE(notices.is_void(0));
  CHECK(notices.heard(1) == whole);
}

TEST_CASE_FIXTURE(notices_fixture, "notices are heard one after the other, up to a number") {
  begin();
  notices.tell(0, one_slot, 7);
  notices.tell(0, {}, 8);
  CHECK_FALSE(notices.hear_next(0, 0));
  const auto first = notices.hear_next(0, 2);
  REQUIRE(first);
  CHECK(first->of_machine == 7);
  CHECK(notices.heard(0) == one_slot);
  CHECK(notices.told(0).is_zero());
  notices.end_session(0);
  CHECK(notices.hear_next(0, 2)->of_machine == 0);
  CHECK_FALSE(notices.has_unheard(0));
  CHECK_FALSE(notices.hear_next(0, 2));
}

TEST_CASE_FIXTURE(notices_fixture, "what a plugin sends is void until it has heard of an absence") {
  begin();
  notices.tell(0, {});
  notices.begin_void(0);
  notices.tell(0, whole);
  CHECK(notices.is_void(0));
  CHECK_FALSE(notices.is_void(1));
  notices.hear_next(0, 1);
  CHECK_FALSE(notices.is_void(0));
}

TEST_CASE_FIXTURE(notices_fixture, "a machine takes what fits, unless it leaves") {
  begin();
  CHECK(notices.takes(0, whole));
  CHECK_FALSE(notices.takes(0, resources::of_slots(3)));
  CHECK_FALSE(notices.takes(9, one_slot));
  CHECK(notices.begin_leaving(0));
  CHECK_FALSE(notices.begin_leaving(0));
  CHECK_FALSE(notices.takes(0, one_slot));
  notices.end_session(0);
  CHECK(notices.takes(0, one_slot));
  notices.tell(1, {});
  CHECK_FALSE(notices.takes(1, one_slot));
}
