#include "actors/plugin/queues/queue_plugin_outbox.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("a queue plugin is told of the ends of the tasks that it knows, by its own numbers") {
  queue_plugin_outbox told;
  plugin_jobs::task_record record;
  told.tell_end(record, 2, task_outcome::finished, instant{0});
  CHECK(told.count() == 0);
  record.shown = true;
  record.seen = {9, 1};
  told.tell_end(record, 2, task_outcome::finished, instant{0});
  const auto all = told.take();
  REQUIRE(all.size() == 1);
  CHECK(std::get<task_news>(all[0]).ended.at(0).task == task_id{9, 1});
}

TEST_CASE("messages that are put behind others count once") {
  queue_plugin_outbox told;
  told.submit({});
  told.submit({slot_job(1, 1)});
  auto later = told.take();
  told.tell_start({1, 0}, 2, instant{0});
  told.put_behind(std::move(later));
  const auto all = told.take();
  REQUIRE(all.size() == 2);
  CHECK(std::holds_alternative<task_news>(all[0]));
  CHECK(std::holds_alternative<submission>(all[1]));
  CHECK(told.count() == 2);
  CHECK(told.take().empty());
}
