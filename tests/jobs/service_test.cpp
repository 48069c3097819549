#include "jobs/service/attempts/end_rules.hpp"
#include "service_fixture.hpp"

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("a job is durable, then placed, then over") {
  served_jobs at;
  const plain_node node{at};
  const auto id = at.submit(R"({"name":"a","priority":4,"groups":[{"command":["echo","hi"],
    "count":2,"cpu":0.5,"memory":"100MiB","env":{"A":"b"},"time_limit":"60s","gang":true,
    "constraints":["zone=a"]}]})");
  CHECK(at.job(id).state == job_state::queued);
  const auto made = only_new(at);
  CHECK(made.task_count() == 2);
  CHECK(made.gang);
  CHECK(made.priority == 4);
  CHECK(made.groups[0].demand[resource::cpu] == 500);
  CHECK(made.groups[0].demand[resource::memory] == 100);
  CHECK(made.groups[0].constraints.size() == 1);
  const auto permit = node.want({made.id, 1});
  REQUIRE(permit.verdict == start_verdict::run);
  CHECK(permit.which == attempt_key{id, 1, 1});
  const auto spec = read_attempt_spec(permit.spec);
  CHECK(spec.argv == std::vector<std::string>{"echo", "hi"});
  CHECK(spec.env.at("A") == "b");
  CHECK(spec.env.at("TROUPE_TASK_ID") == std::to_string(id) + ".1");
  CHECK(spec.env.at("TROUPE_ENTRY") == "1");
  CHECK(spec.time_limit_ms == 60'000);
  CHECK(spec.lease_ms == 60'000);
  CHECK(at.job(id).state == job_state::running);
  CHECK(at.job(id).counts.running == 1);
  node.end(permit.which, 0);
  const auto first = node.start({made.id, 0});
  node.end(first, 0);
  const auto over = at.job(id);
  CHECK(over.state == job_state::succeeded);
  CHECK(over.counts == job_task_counts{0, 2, 0, 0});
  CHECK(over.finished_ms > 0);
  CHECK(at.store->attempts(id, 1).size() == 1);
  CHECK_FALSE(at.store->attempts(id, 1)[0].open);
  CHECK(check_store(at.dir.place()).faults.empty());
}

TEST_CASE("a repeated wish gets the same attempt, another node has to wait") {
  served_jobs at;
  at.submit(simple_job());
  const auto made = only_new(at);
  const plain_node a{at, "a"};
  const plain_node b{at, "b"};
  const auto which = a.start({made.id, 0});
  CHECK(a.start({made.id, 0}) == which);
  CHECK(b.want({made.id, 0}).verdict == start_verdict::wait);
  CHECK(b.want({made.id, 1}).verdict == start_verdict::refuse);
  CHECK(b.want({made.id + 1, 0}).verdict == start_verdict::refuse);
  // What is above the 40 bits belongs to the scheduling layer.
  CHECK(a.start({made.id | (std::uint64_t{5} << 40), 0}) == which);
  a.end(which, 0);
  CHECK(a.want({made.id, 0}).verdict == start_verdict::refuse);
  a.end(which, 1); // a late repetition changes nothing
  CHECK(at.job(which.job).state == job_state::succeeded);
}

TEST_CASE("a command's own failures are retried as often as allowed") {
  served_jobs at;
  const plain_node node{at};
  const auto id = at.submit(simple_job(R"("retries":2)"));
  std::vector<job_id> numbers;
  for (std::uint32_t n = 1; n <= 3; ++n) {
    CHECK(at.job(id).state != job_state::failed);
    const auto made = only_new(at);
    numbers.push_back(made.id);
    const auto which = node.start({made.id, 0});
    CHECK(which.attempt == n);
    node.end(which, 3);
  }
  CHECK(numbers[0] < numbers[1]);
  CHECK(numbers[1] < numbers[2]);
  CHECK(node.want({numbers[0], 0}).verdict == start_verdict::refuse);
  CHECK(at.service->take_new().empty());
  const auto over = at.job(id);
  CHECK(over.state == job_state::failed);
  CHECK(over.reason == "task 0: exit code 3");
  CHECK(at.task(id, 0).reason == "exit code 3");
  CHECK(at.store->attempts(id, 0).size() == 3);
}

TEST_CASE("each kind of end counts as what it is") {
  served_jobs at;
  const plain_node node{at};
  const auto once = [&](end_reason reason, const std::string& members = "") {
    const auto id = at.submit(simple_job(members));
    node.end(node.start({only_new(at).id, 0}), 0, reason);
    return id;
  };
  CHECK(at.job(once(end_reason::time_limit)).state == job_state::failed);
  CHECK(at.job(once(end_reason::output_limit)).state == job_state::failed);
  CHECK(at.job(once(end_reason::exec_failed, R"("retries":5)")).state == job_state::failed);
  for (const auto orderly : {end_reason::drain, end_reason::preempted, end_reason::host_failed}) {
    const auto id = once(orderly);
    CHECK(at.job(id).state == job_state::running);
    CHECK(at.task(id, 0).losses == 0);
    node.end(node.start({only_new(at).id, 0}), 0);
    CHECK(at.job(id).state == job_state::succeeded);
  }
  const auto id = once(end_reason::reboot);
  for (std::uint32_t n = 1; n <= most_losses; ++n) {
    CHECK(at.task(id, 0).losses == n);
    CHECK(at.task(id, 0).retries == 0);
    node.end(node.start({only_new(at).id, 0}), 0, end_reason::supervisor_lost);
  }
  CHECK(at.job(id).state == job_state::failed);
  CHECK(at.task(id, 0).reason == "it was lost 6 times; at last its supervisor was lost");
}

TEST_CASE("a node cannot end what runs on another") {
  served_jobs at;
  const plain_node node{at};
  const plain_node other{at, "node-1"};
  const auto id = at.submit(simple_job());
  const auto which = node.start({only_new(at).id, 0});
  other.end(which, 0);
  CHECK(at.job(id).state == job_state::running);
  node.end(which, 0);
  CHECK(at.job(id).state == job_state::succeeded);
}

TEST_CASE("a lease that is not renewed is lost, a renewed one is not") {
  served_jobs at;
  const plain_node node{at};
  const auto id = at.submit(simple_job(R"("lease":"10s")"));
  const auto first = only_new(at);
  const auto which = node.start({first.id, 0});
  for (int i = 0; i < 5; ++i) {
    at.pass(9s);
    const auto answer = node.say({}, {which});
    CHECK(answer.renewed == std::vector<attempt_key>{which});
    CHECK(answer.stops.empty());
  }
  at.pass(9999ms);
  CHECK(at.service->take_new().empty());
  at.pass(1ms);
  const auto second = only_new(at);
  CHECK(at.store->attempts(id, 0)[0].lost);
  // The frozen node comes back: it has to stop, and its late end is seen and dropped.
  const auto late = node.say({}, {which});
  CHECK(late.renewed.empty());
  REQUIRE(late.stops.size() == 1);
  CHECK(late.stops[0].which == which);
  CHECK(late.stops[0].reason == end_reason::lease);
  node.end(which, 0);
  CHECK(at.job(id).state == job_state::running);
  CHECK(node.want({first.id, 0}).verdict == start_verdict::refuse);
  const auto again = node.start({second.id, 0});
  CHECK(again.attempt == 2);
  node.end(again, 0);
  CHECK(at.job(id).state == job_state::succeeded);
}

TEST_CASE("a lease forever ends at the word of a human only") {
  served_jobs at;
  const plain_node node{at};
  const auto id = at.submit(simple_job(R"("lease":"forever")"));
  const auto which = node.start({only_new(at).id, 0});
  at.pass(std::chrono::hours{1000});
  CHECK(at.service->take_new().empty());
  command_outcome told;
  at.service->give_up(id, 0, [&](command_outcome o) { told = o; });
  CHECK(told.what == command_outcome::kind::done);
  CHECK(node.say({}, {which}).stops.size() == 1);
  CHECK(only_new(at).task_count() == 1);
}

TEST_CASE("after a restart running tasks go on, and all else is handed out anew") {
  served_jobs at;
  const plain_node node{at};
  const auto id = at.submit(simple_job(R"("count":3,"lease":"10s")"));
  const auto old = only_new(at);
  const auto which = node.start({old.id, 1});
  at.pass(9s);
  at.restart();
  const auto fresh = only_new(at);
  CHECK(fresh.id > old.id);
  CHECK(fresh.task_count() == 2);
  CHECK(node.want({old.id, 0}).verdict == start_verdict::refuse);
  at.pass(9s); // a whole lease from the restart
  CHECK(node.say({}, {which}).renewed.size() == 1);
  at.pass(9s);
  CHECK(at.service->take_new().empty());
  node.end(which, 0);
  CHECK(node.start({fresh.id, 0}) == attempt_key{id, 0, 1});
  CHECK(node.start({fresh.id, 1}) == attempt_key{id, 2, 1});
  at.restart();
  CHECK(at.service->take_new().empty());
  node.end({id, 0, 1}, 0);
  node.end({id, 2, 1}, 0);
  CHECK(at.job(id).state == job_state::succeeded);
}

TEST_CASE("a node is asked for attempts whose grants it may never have heard of") {
  served_jobs at;
  const plain_node node{at};
  const auto id = at.submit(simple_job(R"("count":3,"lease":"forever")"));
  const auto made = only_new(at);
  const auto heard = node.start({made.id, 0});
  const auto unheard = node.start({made.id, 1});
  CHECK(node.say({}).stops.empty());
  at.restart();
  CHECK(only_new(at).task_count() == 1);
  const auto asked = node.say({});
  REQUIRE(asked.stops.size() == 2);
  CHECK(asked.stops[0].which == heard);
  CHECK(asked.stops[1].which == unheard);
  CHECK(asked.stops[1].reason == end_reason::host_failed);
  // One that it lists is not asked for again, nor is one of this process of the service.
  const auto again = node.say({}, {heard});
  REQUIRE(again.stops.size() == 1);
  CHECK(again.stops[0].which == unheard);
  node.end(unheard, 0, end_reason::host_failed);
  CHECK(node.say({}).stops.empty());
  const auto fresh = only_new(at);
  CHECK(node.start({fresh.id, 0}) == attempt_key{id, 1, 2});
  CHECK(node.say({}).stops.empty());
  CHECK(at.store->tasks(id, 1, 2, std::nullopt, 1)[0].losses == 0);
  // A new process of the node may have heard of neither.
  auto reborn = node;
  reborn.boot = 2;
  CHECK(reborn.say({}).stops.size() == 2);
  CHECK(node.say({}).stops.empty()); // a late report of the earlier one
  CHECK(check_store(at.dir.place()).faults.empty());
}

TEST_CASE("a new process of a node has what it lists, and nothing else") {
  served_jobs at;
  plain_node node{at};
  const auto id = at.submit(simple_job(R"("count":2)"));
  const auto made = only_new(at);
  const auto a = node.start({made.id, 0});
  const auto b = node.start({made.id, 1});
  auto reborn = node;
  reborn.boot = 2;
  reborn.say({}); // says nothing about what runs
  CHECK(reborn.say({}, {a}).renewed == std::vector<attempt_key>{a});
  CHECK(at.store->attempts(id, 1)[0].open);
  at.pass(lease_book::settling); // it has had the time to tell ends
  reborn.say({}, {a});
  CHECK(at.store->attempts(id, 1)[0].lost);
  CHECK(at.store->attempts(id, 1)[0].end.reason == end_reason::supervisor_lost);
  CHECK(only_new(at).task_count() == 1);
  CHECK(at.store->attempts(id, 0)[0].boot == 2);
  // A late report of the old process starts nothing, and ends nothing.
  const auto late = node.say({{made.id, 0}});
  CHECK(late.permits[0].verdict == start_verdict::wait);
  CHECK(at.store->attempts(id, 0)[0].open);
  CHECK(b.attempt == 1);
}

TEST_CASE("a cancel stops what runs and keeps what is over") {
  served_jobs at;
  const plain_node node{at};
  const auto id = at.submit(simple_job(R"("count":4,"grace":"3s","retries":9)"));
  const auto made = only_new(at);
  const auto done = node.start({made.id, 0});
  node.end(done, 0);
  const auto stopped = node.start({made.id, 1});
  const auto failed = node.start({made.id, 2});
  CHECK(at.cancel(id).what == command_outcome::kind::done);
  CHECK(at.service->take_withdrawn() == std::vector<job_id>{made.id});
  CHECK(at.job(id).state == job_state::stopping);
  CHECK(node.want({made.id, 3}).verdict == start_verdict::refuse);
  CHECK(node.want({made.id, 1}).verdict == start_verdict::refuse);
  const auto answer = node.say({}, {stopped, failed});
  CHECK(answer.renewed.size() == 2);
  REQUIRE(answer.stops.size() == 2);
  CHECK(answer.stops[0].grace_ms == 3'000);
  at.restart();
  CHECK(node.say({}, {stopped, failed}).stops.size() == 2);
  CHECK(at.cancel(id).what == command_outcome::kind::done);
  node.end(failed, 1); // a natural end before the kill keeps its status
  node.end(stopped, 0, end_reason::cancelled);
  const auto over = at.job(id);
  CHECK(over.state == job_state::cancelled);
  CHECK(over.counts == job_task_counts{0, 1, 1, 2});
  CHECK(at.cancel(id).what == command_outcome::kind::over);
  CHECK(at.cancel(id + 1).what == command_outcome::kind::unknown);
  CHECK(at.store->tasks(id, 3, 4, std::nullopt, 1).empty()); // lazily: the rest of its group
  CHECK(at.store->groups(id)[0].rest == task_state::cancelled);
  CHECK(check_store(at.dir.place()).faults.empty());
}

TEST_CASE("groups wait for groups, and are cancelled when those fail") {
  served_jobs at;
  const plain_node node{at};
  const std::string json = R"({"groups":[{"name":"a","command":["a"],"count":2},
    {"name":"b","command":["b"],"after":["a"]},{"name":"c","command":["c"],"after":["b"]},
    {"name":"d","command":["d"]}]})";
  const auto id = at.submit(json);
  auto made = at.service->take_new();
  REQUIRE(made.size() == 2); // a and d
  node.end(node.start({made[0].id, 0}), 0);
  CHECK(at.service->take_new().empty());
  node.end(node.start({made[0].id, 1}), 0);
  const auto b = only_new(at);
  node.end(node.start({b.id, 0}), 7);
  CHECK(at.job(id).counts == job_task_counts{0, 2, 1, 1});
  CHECK(at.store->groups(id)[2].rest_reason == "group b did not succeed");
  node.end(node.start({made[1].id, 0}), 0);
  CHECK(at.job(id).state == job_state::failed);
  CHECK(at.job(id).reason == "task 2: exit code 7");
  // Again: what failed, and what was cancelled for it.
  at.restart();
  const auto told = at.retry(id);
  CHECK(told.what == command_outcome::kind::done);
  CHECK(told.tasks == 2);
  CHECK(at.job(id).state == job_state::running);
  const auto again = node.start({only_new(at).id, 0});
  CHECK(again == attempt_key{id, 2, 2});
  CHECK(at.retry(id).what == command_outcome::kind::not_over);
  node.end(again, 0);
  node.end(node.start({only_new(at).id, 0}), 0);
  CHECK(at.job(id).state == job_state::succeeded);
  CHECK(at.retry(id).what == command_outcome::kind::over);
  CHECK(at.retry(77).what == command_outcome::kind::unknown);
  CHECK(check_store(at.dir.place()).faults.empty());
}

TEST_CASE("jobs wait for jobs") {
  served_jobs at;
  const plain_node node{at};
  const auto first = at.submit(simple_job());
  const auto later = [&](std::uint64_t id) {
    return at.submit(R"({"after":[)" + std::to_string(id) + R"(],"groups":[{"command":["b"]}]})");
  };
  const auto second = later(first);
  const auto third = later(second);
  const auto made = only_new(at);
  at.restart();
  const auto fresh = only_new(at);
  CHECK(fresh.id > made.id);
  node.end(node.start({fresh.id, 0}), 0);
  node.end(node.start({only_new(at).id, 0}), 1);
  CHECK(at.job(second).state == job_state::failed);
  CHECK(at.job(third).state == job_state::cancelled);
  CHECK(at.job(third).reason == "job 2 did not succeed");
  CHECK(at.job(later(third)).state == job_state::cancelled);
  CHECK(at.job(later(first)).state == job_state::queued);
  submit_outcome told;
  at.service->submit(read_job_json(R"({"after":[99],"groups":[{"command":["b"]}]})"), "",
                     [&](submit_outcome o) { told = o; });
  CHECK(told.what == submit_outcome::kind::no_predecessor);
  CHECK(told.id == 99);
}

TEST_CASE("what the scheduling layer gives up is handed out again after a pause") {
  served_jobs at;
  const plain_node node{at};
  const auto id = at.submit(simple_job(R"("count":2)"));
  auto made = only_new(at);
  at.service->scheduled_over({made.id, 1}, task_fate::abandoned);
  CHECK(at.job(id).reason == "no machine fits task 1");
  CHECK(at.task(id, 1).reason == "no machine fits");
  CHECK(node.want({made.id, 1}).verdict == start_verdict::refuse);
  const auto other = node.start({made.id, 0});
  at.service->scheduled_over({made.id, 0}, task_fate::lost); // it runs: its end counts
  for (const auto pause : {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
    at.pass(pause - 1ms);
    node.say({}, {other});
    CHECK(at.service->take_new().empty());
    at.pass(1ms);
    made = only_new(at);
    CHECK(made.task_count() == 1);
    at.service->scheduled_over({made.id, 0}, task_fate::lost);
    at.service->scheduled_over({made.id, 0}, task_fate::lost); // repeated
    node.say({}, {other});
  }
  at.pass(30s);
  node.say({}, {other});
  at.pass(30s);
  made = only_new(at);
  node.end(other, 0);
  const auto last = node.start({made.id, 0});
  CHECK(at.job(id).reason.empty());
  node.end(last, 0);
  at.service->scheduled_over({made.id, 0}, task_fate::finished);
  CHECK(at.job(id).state == job_state::succeeded);
}
