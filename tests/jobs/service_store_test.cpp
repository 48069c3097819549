#include "service_fixture.hpp"

#include <algorithm>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("a submission with a known key is the same job") {
  served_jobs at;
  const auto id = at.submit(simple_job(), "key");
  const auto again = [&](const std::string& json) {
    submit_outcome told;
    at.service->submit(read_job_json(json), "key", [&](submit_outcome o) { told = o; });
    return told;
  };
  CHECK(again(simple_job()).what == submit_outcome::kind::repeated);
  CHECK(again(simple_job()).id == id);
  CHECK(again(simple_job(R"("count":2)")).what == submit_outcome::kind::other_job);
  at.restart();
  CHECK(again(simple_job()).id == id);
  CHECK(at.store->jobs({}, 0, 10).size() == 1);
  at.submit(R"({"tenant":"other","groups":[{"command":["true"]}]})", "key");
}

TEST_CASE("a full store refuses, renews leases, and goes on when there is room") {
  served_jobs at;
  const plain_node node{at};
  const auto id = at.submit(simple_job(R"("count":2)"));
  const auto made = only_new(at);
  const auto which = node.start({made.id, 0});
  at.store->full = true;
  submit_outcome told{submit_outcome::kind::made, 0};
  at.service->submit(read_job_json(simple_job()), "k", [&](submit_outcome o) { told = o; });
  CHECK(told.what == submit_outcome::kind::unavailable);
  CHECK_FALSE(at.service->available());
  attempt_end end;
  end.which = which;
  end.exit_code = 0;
  const auto answer = node.say({{made.id, 1}}, {which}, {end});
  CHECK(answer.seen.empty());
  CHECK(answer.permits.empty());
  CHECK(answer.renewed.size() == 1);
  CHECK(at.cancel(id).what == command_outcome::kind::unavailable);
  CHECK(at.retry(id).what == command_outcome::kind::unavailable);
  at.pass(2s);
  CHECK_FALSE(at.service->available());
  at.store->full = false;
  at.pass(2s);
  CHECK(at.service->available());
  CHECK(at.job(id).state == job_state::running);
  node.end(which, 0);
  const auto fresh = only_new(at);
  CHECK(fresh.task_count() == 1);
  node.end(node.start({fresh.id, 0}), 0);
  CHECK(at.job(id).state == job_state::succeeded);
  CHECK(at.store->jobs({}, 0, 10).size() == 1);
}

TEST_CASE("a store that does not answer is asked again, and what it kept goes on") {
  served_jobs at;
  const plain_node node{at};
  const auto id = at.submit(simple_job(R"("count":2)"));
  const auto made = only_new(at);
  const auto which = node.start({made.id, 0});
  at.store->away = true;
  submit_outcome told{submit_outcome::kind::made, 0};
  at.service->submit(read_job_json(simple_job()), "k", [&](submit_outcome o) { told = o; });
  CHECK(told.what == submit_outcome::kind::unavailable);
  CHECK(node.say({}, {which}).renewed.size() == 1);
  at.store->held = false; // another service may have given the attempt up
  CHECK(node.say({}, {which}).renewed.empty());
  at.pass(10s);
  CHECK_FALSE(at.service->available());
  at.store->away = false;
  at.store->held = true;
  at.pass(2s);
  CHECK(at.service->available());
  // Schedulers forget what is handed out anew.
  CHECK(std::ranges::count(at.service->take_withdrawn(), made.id) == 1);
  node.end(which, 0);
  node.end(node.start({only_new(at).id, 0}), 0);
  CHECK(at.service->take_withdrawn().empty());
  CHECK(at.job(id).state == job_state::succeeded);
  CHECK(at.store->jobs({}, 0, 10).size() == 1);
}

TEST_CASE("however often the store fails, schedulers have each waiting task once") {
  served_jobs at;
  at.submit(simple_job(R"("count":3)"));
  auto waiting = only_new(at).id;
  for (int i = 0; i < 3; ++i) {
    at.store->full = true;
    at.service->submit(read_job_json(simple_job()), "", [](submit_outcome) {});
    at.pass(5s);
    at.store->full = false;
    at.pass(2s);
    REQUIRE(at.service->available());
    CHECK(std::ranges::count(at.service->take_withdrawn(), waiting) == 1);
    waiting = only_new(at).id;
  }
}

TEST_CASE("nothing is answered while another process may have the store") {
  served_jobs at;
  const plain_node node{at};
  at.submit(simple_job());
  const auto which = node.start({only_new(at).id, 0});
  CHECK(node.say({}, {which}).renewed.size() == 1);
  at.store->held = false;
  CHECK(node.say({}, {which}).renewed.empty());
  CHECK_FALSE(at.service->available());
  at.store->held = true;
  at.pass(2s);
  CHECK(node.say({}, {which}).renewed.size() == 1);
}

TEST_CASE("policies are durable before anybody hears of them") {
  served_jobs at;
  std::vector<bool> told;
  const auto keep = [&](std::vector<ordered_policy_row> rows) {
    at.service->keep_policies(std::move(rows), [&](bool durable) { told.push_back(durable); });
  };
  keep({{0, 5, "best-fit", "[]"}, {1, 5, "best-fit", "[]"}});
  CHECK(told == std::vector<bool>{true});
  CHECK(at.store->load().policies.size() == 2);
  at.store->full = true;
  keep({{0, 6, "worst-fit", "[]"}});
  CHECK(told == std::vector<bool>{true, false});
  keep({{0, 7, "worst-fit", "[]"}});
  CHECK(told == std::vector<bool>{true, false, false});
  at.store->full = false;
  at.pass(2s);
  CHECK(at.store->load().policies[0].at_ns == 5); // and none of these is kept later
  keep({{1, 8, "random-fit", "[]"}});
  at.restart();
  const auto& kept = at.service->kept_policies();
  REQUIRE(kept.size() == 2);
  CHECK(kept[0].policy == "best-fit");
  CHECK(kept[1].policy == "random-fit");
}

TEST_CASE("policies that are ordered while a commit is under way share the next one") {
  store_directory dir;
  auto store = std::make_shared<sqlite_database>(dir.store(), store_sync::off);
  constexpr std::int64_t orders = 200;
  {
    job_service service{store};
    std::promise<void> all;
    std::int64_t answers = 0; // in the thread of the service
    for (std::int64_t n = 1; n <= orders; ++n)
      service.keep_policies({{0, n, "best-fit", "[]"}}, [&](bool) {
        if (++answers == orders)
          all.set_value();
      });
    all.get_future().get();
  }
  REQUIRE(store->load().policies.size() == 1);
  CHECK(store->load().policies[0].at_ns == orders);
}

TEST_CASE("machines that have left are kept for the set time") {
  served_jobs at;
  const auto utc = at.options().clock.utc_ms();
  bool kept = false;
  at.service->keep_machines(
    {{"a", utc, 0, 1'000, 0, 0, 0, "{}"}, {"b", utc, utc, 1'000, 0, 0, 0, "{}"}},
    [&](bool durable) { kept = durable; });
  CHECK(kept);
  at.pass(std::chrono::hours{24 * 7} - 1s);
  CHECK(at.store->machines(0).size() == 2);
  at.pass(std::chrono::hours{2});
  REQUIRE(at.store->machines(0).size() == 1);
  at.restart();
  REQUIRE(at.service->kept_machines().size() == 1);
  CHECK(at.service->kept_machines()[0].node == "a");
}

TEST_CASE("a broken store refuses for good") {
  served_jobs at;
  std::string why;
  auto options = at.options();
  options.on_broken = [&](const std::string& text) { why = text; };
  at.service = std::make_unique<job_service>(at.store, options);
  at.store->dies_before = true;
  submit_outcome told{submit_outcome::kind::made, 0};
  at.service->submit(read_job_json(simple_job()), "", [&](submit_outcome o) { told = o; });
  CHECK(told.what == submit_outcome::kind::unavailable);
  CHECK(why == "died before");
  at.pass(60s);
  CHECK_FALSE(at.service->available());
  at.restart();
  CHECK(at.service->available());
}

TEST_CASE("who waits for a job hears of its end, or of the end of the time") {
  served_jobs at;
  const plain_node node{at};
  const auto id = at.submit(simple_job());
  std::optional<job_row> told;
  int calls = 0;
  const auto wait = [&](std::uint64_t of, duration span) {
    at.service->wait_for(of, span, [&](wait_outcome outcome) {
      CHECK(outcome.available);
      told = std::move(outcome.job);
      ++calls;
    });
  };
  wait(id, 10s);
  CHECK(calls == 0);
  at.pass(10s);
  CHECK(calls == 1);
  CHECK(told->state == job_state::queued);
  wait(id, 10s);
  node.end(node.start({only_new(at).id, 0}), 0);
  CHECK(calls == 2);
  CHECK(told->state == job_state::succeeded);
  wait(id, 10s);
  CHECK(calls == 3);
  wait(99, 10s);
  CHECK(calls == 4);
  CHECK_FALSE(told);
}

TEST_CASE("jobs that are over are kept for the set time") {
  served_jobs at;
  const plain_node node{at};
  const auto over = at.submit(simple_job());
  node.end(node.start({only_new(at).id, 0}), 1);
  const auto live = at.submit(simple_job());
  at.pass(std::chrono::hours{24 * 7} - 1s);
  CHECK(at.store->job(over));
  at.pass(61s);
  CHECK_FALSE(at.store->job(over));
  CHECK(at.store->job(live));
  CHECK(at.retry(over).what == command_outcome::kind::unknown);
}

TEST_CASE("a million equal tasks are one row until they differ") {
  served_jobs at;
  const plain_node node{at};
  const auto id = at.submit(simple_job(R"("count":1000000)"));
  const auto made = only_new(at);
  CHECK(made.task_count() == 1'000'000);
  node.end(node.start({made.id, 999'999}), 0);
  CHECK(at.store->tasks(id, 0, 1'000'000, std::nullopt, 100).size() == 1);
  at.cancel(id);
  CHECK(at.job(id).state == job_state::cancelled);
  CHECK(at.job(id).counts.cancelled == 999'999);
  CHECK(at.store->tasks(id, 0, 1'000'000, std::nullopt, 100).size() == 1);
  CHECK(check_store(at.dir.place()).faults.empty());
}

TEST_CASE("a service with a thread of its own answers many at a time") {
  store_directory dir;
  auto store = std::make_shared<failing_database>(
    std::make_shared<sqlite_database>(dir.store(), store_sync::full));
  constexpr int threads = 8;
  constexpr int each = 50;
  {
    job_service service{store};
    std::vector<std::thread> clients;
    for (int i = 0; i < threads; ++i)
      clients.emplace_back([&] {
        for (int n = 0; n < each; ++n) {
          std::promise<submit_outcome> told;
          service.submit(read_job_json(simple_job()), "",
                         [&](submit_outcome o) { told.set_value(o); });
          const auto outcome = told.get_future().get();
          if (outcome.what != submit_outcome::kind::made || !store->job(outcome.id))
            std::abort();
        }
      });
    for (auto& c : clients)
      c.join();
    const auto made = service.take_new();
    CHECK(made.size() == threads * each);
    CHECK(service.hear({"n", 1, "m", {{made[0].id, 0}}, {}, {}}).permits[0].verdict ==
          start_verdict::run);
  }
  CHECK(store->commits < threads * each * 3 / 4); // several in one commit
  CHECK(store->jobs({}, 0, 10'000).size() == threads * each);
}
