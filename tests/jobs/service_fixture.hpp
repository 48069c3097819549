#pragma once

#include "jobs/service/job_service.hpp"
#include "jobs/spec/attempt_spec.hpp"
#include "jobs/store/sqlite_database.hpp"
#include "jobs/store/store_tools.hpp"
#include "store_rows.hpp"

#include <doctest/doctest.h>

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace troupe::test {

/// A store that fails when it is told to.
class failing_database final : public job_database {
public:
  explicit failing_database(std::shared_ptr<job_database> to) : to_(std::move(to)) {}

  bool full = false;         ///< all commits are refused
  bool away = false;         ///< commits and loads find no store; nothing is kept
  bool held = true;          ///< no other process may have the store
  bool dies_before = false;  ///< the next commit breaks, and is not kept
  bool dies_after = false;   ///< the next commit breaks, and is kept
  std::uint64_t commits = 0; ///< that were tried
  std::size_t task_rows = 0; ///< that were read

  void commit(const store_batch& changes) override {
    ++commits;
    if (full)
      throw store_full{"no room"};
    if (away)
      throw store_away{"nobody is there"};
    if (std::exchange(dies_before, false))
      throw store_broken{"died before"};
    to_->commit(changes);
    if (std::exchange(dies_after, false))
      throw store_broken{"died after"};
  }
  live_jobs load() override {
    if (away)
      throw store_away{"nobody is there"};
    return to_->load();
  }
  bool is_held() const override { return held; }
  std::optional<live_jobs::one> load_job(std::uint64_t id) override { return to_->load_job(id); }
  std::optional<job_row> job(std::uint64_t id) override { return to_->job(id); }
  std::optional<std::uint64_t> submission(const std::string& t, const std::string& k) override {
    return to_->submission(t, k);
  }
  std::vector<job_row> jobs(const job_filter& f, std::uint64_t b, std::size_t n) override {
    return to_->jobs(f, b, n);
  }
  std::vector<group_row> groups(std::uint64_t job) override { return to_->groups(job); }
  std::vector<task_row> tasks(std::uint64_t job, std::uint32_t from, std::uint32_t to,
                              std::optional<task_state> s, std::size_t n) override {
    auto rows = to_->tasks(job, from, to, s, n);
    task_rows += rows.size();
    return rows;
  }
  std::vector<attempt_row> attempts(std::uint64_t job, std::uint32_t task) override {
    return to_->attempts(job, task);
  }
  std::vector<machine_row> machines(std::int64_t since) override { return to_->machines(since); }
  std::vector<std::uint64_t> finished_before(std::int64_t t, std::size_t k,
                                             std::size_t n) override {
    return to_->finished_before(t, k, n);
  }

private:
  std::shared_ptr<job_database> to_;
};

/// A service under a virtual clock, whose store outlives it.
struct served_jobs {
  store_directory dir;
  std::shared_ptr<failing_database> store;
  instant time = std::chrono::hours{1};
  std::vector<std::string> tenants;
  std::map<std::string, double> maxima;
  std::unique_ptr<job_service> service;

  served_jobs() {
    store = std::make_shared<failing_database>(
      std::make_shared<sqlite_database>(dir.store(), store_sync::off));
    restart();
  }
  explicit served_jobs(std::shared_ptr<job_database> in)
    : store(std::make_shared<failing_database>(std::move(in))) {
    restart();
  }

  service_options options() {
    service_options o;
    o.clock = {[this] { return time; },
               [this] { return std::int64_t{1'700'000'000'000} + time.count() / 1'000'000; }};
    o.own_thread = false;
    o.tenants = tenants;
    o.maxima = maxima;
    return o;
  }

  void restart() {
    service.reset();
    service = std::make_unique<job_service>(store, options());
  }

  void pass(duration d) {
    time += d;
    service->tick();
  }

  std::uint64_t submit(const std::string& json, const std::string& key = "") {
    std::optional<submit_outcome> told;
    service->submit(read_job_json(json), key, [&](submit_outcome o) { told = o; });
    REQUIRE(told);
    CHECK(told->what == submit_outcome::kind::made);
    return told->id;
  }

  command_outcome cancel(std::uint64_t id) {
    command_outcome told;
    service->cancel(id, [&](command_outcome o) { told = o; });
    return told;
  }

  command_outcome retry(std::uint64_t id) {
    command_outcome told;
    service->retry(id, [&](command_outcome o) { told = o; });
    return told;
  }

  job_row job(std::uint64_t id) { return store->job(id).value(); }
  task_row task(std::uint64_t id, std::uint32_t n) {
    const auto rows = store->tasks(id, n, n + 1, std::nullopt, 1);
    REQUIRE(rows.size() == 1);
    return rows[0];
  }
};

/// A node that does what it is told.
struct plain_node {
  served_jobs& at;
  std::string name = "node-0";
  std::uint64_t boot = 1;
  std::string machine_state = "m-" + name;

  work_answer say(std::vector<task_id> wants, std::vector<attempt_key> running = {},
                  std::vector<attempt_end> ended = {}) const {
    return at.service->hear(
      {name, boot, machine_state, std::move(wants), std::move(running), std::move(ended)});
  }

  start_permit want(task_id as) const {
    auto answer = say({as});
    REQUIRE(answer.permits.size() == 1);
    CHECK(answer.permits[0].as == as);
    return answer.permits[0];
  }

  attempt_key start(task_id as) const {
    const auto permit = want(as);
    REQUIRE(permit.verdict == start_verdict::run);
    CHECK(read_attempt_spec(permit.spec).which == permit.which);
    return permit.which;
  }

  void end(attempt_key which, int code, end_reason reason = end_reason::none) const {
    attempt_end e;
    e.which = which;
    e.reason = reason;
    e.exit_code = reason == end_reason::none ? code : -1;
    const auto answer = say({}, {}, {e});
    REQUIRE(answer.seen.size() == 1);
    CHECK(answer.seen[0] == which);
  }
};

/// A job of one group of `true`, with more members of the group.
inline std::string simple_job(const std::string& members = "") {
  return R"({"groups":[{"command":["true"])" + (members.empty() ? "" : "," + members) + "}]}";
}

/// The only job that was handed out since the last look.
inline job only_new(served_jobs& at) {
  auto made = at.service->take_new();
  REQUIRE(made.size() == 1);
  return made[0];
}

} // namespace troupe::test
