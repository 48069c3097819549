#include "jobs/store/sqlite_schema.hpp"
#include "jobs/store/store_tools.hpp"
#include "kinds_of_stores.hpp"

#include <doctest/doctest.h>

#include <SQLiteCpp/SQLiteCpp.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;

TEST_CASE_TEMPLATE("a store returns what was committed, also after it was opened again", Kind,
                   in_sqlite, in_postgres) {
  if (!Kind::is_there())
    return;
  Kind here;
  const auto made = new_job(7, 3);
  const auto end = end_of_job(8, 2'000);
  for (int round = 0; round < 2; ++round) {
    const auto open = here.open();
    auto& db = *open;
    if (round == 0) {
      db.commit(made);
      db.commit(new_job(8));
      db.commit(end);
    }
    CHECK(db.job(7) == made.jobs[0]);
    CHECK_FALSE(db.job(9));
    CHECK(db.submission("odd", "key 7") == 7);
    CHECK_FALSE(db.submission("even", "key 7"));
    CHECK(db.groups(7) == made.groups);
    CHECK(db.tasks(8, 0, 10, std::nullopt, 10) == end.tasks);
    CHECK(db.tasks(8, 0, 10, task_state::failed, 10).empty());
    CHECK(db.tasks(8, 1, 10, std::nullopt, 10).empty());
    CHECK(db.attempts(8, 0) == end.attempts);
    const auto live = db.load();
    REQUIRE(live.jobs.size() == 1);
    CHECK(live.jobs[0].job == made.jobs[0]);
    CHECK(live.jobs[0].groups == made.groups);
    CHECK(live.next_job == 9);
    CHECK(live.next_scheduler_job == 1);
  }
  if (here.place().is_file())
    CHECK(std::filesystem::status(here.place().file).permissions() ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  CHECK(check_store(here.place()).faults.empty());
}

TEST_CASE_TEMPLATE("lists have the newest first, go on where they ended, and filter", Kind,
                   in_sqlite, in_postgres) {
  if (!Kind::is_there())
    return;
  Kind here;
  const auto open = here.open();
  auto& db = *open;
  for (std::uint64_t id = 1; id <= 20; ++id)
    db.commit(new_job(id));
  for (std::uint64_t id = 1; id <= 5; ++id)
    db.commit(end_of_job(id, 100 + static_cast<std::int64_t>(id)));
  std::vector<std::uint64_t> seen;
  std::uint64_t before = 0;
  for (;;) {
    const auto page = db.jobs({}, before, 7);
    if (page.empty())
      break;
    for (const auto& j : page)
      seen.push_back(j.id);
    before = page.back().id;
  }
  REQUIRE(seen.size() == 20);
  CHECK(seen.front() == 20);
  CHECK(seen.back() == 1);
  CHECK(db.jobs({.state = job_state::succeeded}, 0, 100).size() == 5);
  CHECK(db.jobs({.tenant = "even"}, 0, 100).size() == 10);
  CHECK(db.jobs({.name = "job 3"}, 0, 100).at(0).id == 3);
  CHECK(db.jobs({.live_only = true}, 0, 100).size() == 15);
  CHECK(db.finished_before(105, 0, 100) == std::vector<std::uint64_t>{1, 2, 3, 4});
  CHECK(db.finished_before(1'000, 3, 100) == std::vector<std::uint64_t>{1, 2});
  CHECK(db.finished_before(1'000, 0, 2).size() == 2);
}

TEST_CASE_TEMPLATE("a store keeps the last policy that was ordered for each scheduler", Kind,
                   in_sqlite, in_postgres) {
  if (!Kind::is_there())
    return;
  Kind here;
  const ordered_policy_row first{0, 10, "best-fit", "[]"};
  const ordered_policy_row second{4'294'967'295, 1'700'000'000'000'000'001, "adaptive",
                                  R"(["tau=1s","name=\"ü\""])"};
  {
    const auto open = here.open();
    CHECK(open->load().policies.empty());
    open->commit(batch_of(std::vector<ordered_policy_row>{{0, 9, "worst-fit", "[]"}, second}));
    open->commit(batch_of(std::vector{first}));
    CHECK(open->load().policies == std::vector{first, second});
  }
  CHECK(here.open()->load().policies == std::vector{first, second});
  CHECK(check_store(here.place()).faults.empty());
  const auto after = [&](const char* sql) {
    here.run(sql);
    const auto wrong = check_store(here.place()).faults;
    here.run("UPDATE policies SET at_ns = 10, policy = 'p', settings = '[]' WHERE scheduler = 0");
    return wrong;
  };
  const std::vector<std::string> fault{"an order for a policy is not whole: scheduler 0"};
  CHECK(after("UPDATE policies SET at_ns = 0 WHERE scheduler = 0") == fault);
  CHECK(after("UPDATE policies SET policy = '' WHERE scheduler = 0") == fault);
  CHECK(after("UPDATE policies SET settings = 'x' WHERE scheduler = 0") == fault);
  CHECK(check_store(here.place()).faults.empty());
}

TEST_CASE_TEMPLATE("a store keeps which machines there were when", Kind, in_sqlite, in_postgres) {
  if (!Kind::is_there())
    return;
  Kind here;
  const auto open = here.open();
  auto& db = *open;
  const machine_row a{"a", 10, 0, 4'000, 7'800, 500, 4, R"({"zone":"ü"})"};
  auto b = machine_row{"b", 20, 0, 1'000, 1, 0, 0, "{}"};
  db.commit(batch_of(std::vector{a, b}));
  CHECK(db.load().machines == std::vector{a, b});
  b.until_ms = 30;
  const machine_row again{"b", 40, 0, 2'000, 1, 0, 0, "{}"};
  db.commit(batch_of(std::vector{b, again}));
  CHECK(db.load().machines == std::vector{a, again});
  CHECK(db.machines(30) == std::vector{a, b, again});
  CHECK(db.machines(31) == std::vector{a, again});
  CHECK(check_store(here.place()).faults.empty());
  here.run("UPDATE machines SET until_ms = 0 WHERE since_ms = 20");
  CHECK(check_store(here.place()).faults ==
        std::vector<std::string>{"a machine is there twice: node b"});
  here.run("UPDATE machines SET until_ms = 15 WHERE since_ms = 20");
  CHECK(check_store(here.place()).faults ==
        std::vector<std::string>{"a machine leaves before it comes: node b"});
  store_batch forget;
  forget.machines_before_ms = 16;
  db.commit(forget);
  CHECK(db.machines(0) == std::vector{a, again});
}

TEST_CASE_TEMPLATE("a forgotten job leaves nothing", Kind, in_sqlite, in_postgres) {
  if (!Kind::is_there())
    return;
  Kind here;
  const auto open = here.open();
  auto& db = *open;
  db.commit(new_job(1));
  db.commit(end_of_job(1, 9));
  store_batch forget;
  forget.forgotten = {1};
  db.commit(forget);
  CHECK_FALSE(db.job(1));
  CHECK_FALSE(db.submission("odd", "key 1"));
  CHECK(db.groups(1).empty());
  CHECK(db.tasks(1, 0, 9, std::nullopt, 9).empty());
  CHECK(db.attempts(1, 0).empty());
  CHECK(db.load().next_job == 2);
}

TEST_CASE_TEMPLATE("a second process, or a second opening, is refused", Kind, in_sqlite,
                   in_postgres) {
  if (!Kind::is_there())
    return;
  Kind here;
  auto db = here.open();
  CHECK_THROWS_AS(here.open(), store_refused);
  const auto child = fork();
  if (child == 0) {
    try {
      here.open();
    } catch (const store_refused&) {
      _exit(7);
    }
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 7);
  db.reset();
  CHECK_NOTHROW(db = here.open());
}

TEST_CASE_TEMPLATE("what was answered is there after kill -9 in the middle of commits", Kind,
                   in_sqlite, in_postgres) {
  if (!Kind::is_there())
    return;
  for (int round = 0; round < 3; ++round) {
    Kind here;
    int answers[2];
    REQUIRE(pipe(answers) == 0);
    const auto child = fork();
    if (child == 0) {
      const auto db = here.open_for_death();
      for (std::uint64_t id = 1;; ++id) {
        db->commit(new_job(id, 3));
        if (write(answers[1], &id, sizeof id) != sizeof id)
          _exit(1);
      }
    }
    close(answers[1]);
    std::uint64_t last = 0;
    const std::uint64_t enough = 20 + 7 * static_cast<std::uint64_t>(round);
    while (last < enough && read(answers[0], &last, sizeof last) == sizeof last) {
    }
    REQUIRE(last == enough);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(answers[0], &last, sizeof last) == sizeof last) {
    }
    close(answers[0]);
    const auto db = here.open_after_death();
    const auto live = db->load();
    CHECK(live.jobs.size() >= last);
    CHECK(live.jobs.size() <= last + 1); // the one that was under way
    for (std::uint64_t id = 1; id <= last; ++id)
      CHECK(live.jobs[id - 1].job == new_job(id, 3).jobs[0]);
    CHECK(check_store(here.place()).faults.empty());
  }
}

TEST_CASE("a full store keeps nothing of the batch, and can be used once there is room") {
  const store_directory dir;
  sqlite_database db{dir.store(), store_sync::off};
  db.commit(new_job(1));
  db.limit_pages(1);
  store_batch big;
  for (std::uint64_t id = 2; id < 3'000; ++id) {
    auto one = new_job(id);
    big.jobs.push_back(one.jobs[0]);
    big.groups.push_back(one.groups[0]);
  }
  CHECK_THROWS_AS(db.commit(big), store_full);
  CHECK(db.jobs({}, 0, 10).size() == 1);
  db.limit_pages(0);
  db.commit(big);
  CHECK(db.jobs({}, 0, 10'000).size() == 2'999);
}

TEST_CASE("a store that another process has locked can be used once it is free") {
  const store_directory dir;
  sqlite_database db{dir.store(), store_sync::off};
  db.commit(new_job(1));
  {
    SQLite::Database other{dir.store(), SQLite::OPEN_READWRITE};
    other.exec("BEGIN IMMEDIATE");
    CHECK_THROWS_AS(db.commit(new_job(2)), store_away);
    CHECK(db.load().jobs.size() == 1);
  }
  db.commit(new_job(2));
  CHECK(db.load().jobs.size() == 2);
}

TEST_CASE("an older store is brought up to date, a newer or foreign one is refused") {
  const store_directory dir;
  {
    SQLite::Database old{dir.store(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
    old.exec("PRAGMA application_id = 1414680645");
    old.exec(std::string{schema_steps().at(0)});
    old.exec("PRAGMA user_version = 1");
    old.exec("INSERT INTO meta VALUES('next_job', 42)");
  }
  CHECK_THROWS_AS(check_store(dir.place()), store_refused);
  {
    sqlite_database db{dir.store(), store_sync::off};
    CHECK(db.load().next_job == 42);
    db.commit(new_job(42));
    db.commit(batch_of(std::vector<ordered_policy_row>{{0, 1, "best-fit", "[]"}}));
  }
  {
    SQLite::Database file{dir.store(), SQLite::OPEN_READWRITE};
    CHECK(file.execAndGet("PRAGMA user_version").getInt() ==
          static_cast<int>(schema_steps().size()));
    CHECK(
      file.execAndGet("SELECT COUNT(*) FROM sqlite_master WHERE name='jobs_by_name'").getInt() ==
      1);
    file.exec("PRAGMA user_version = 999");
  }
  CHECK_THROWS_WITH_AS((sqlite_database{dir.store(), store_sync::off}),
                       doctest::Contains("expected a newer program"), store_refused);
  {
    SQLite::Database{dir / "other", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE}.exec(
      "CREATE TABLE t(x)");
  }
  CHECK_THROWS_WITH_AS((sqlite_database{dir / "other", store_sync::off}),
                       doctest::Contains("is no store of Troupe"), store_refused);
  std::ofstream{dir / "text"} << std::string(5'000, 'x');
  CHECK_THROWS_AS((sqlite_database{dir / "text", store_sync::off}), store_refused);
}

TEST_CASE_TEMPLATE("an export makes the same store again", Kind, in_sqlite, in_postgres) {
  if (!Kind::is_there())
    return;
  Kind here;
  {
    const auto open = here.open();
    auto& db = *open;
    for (std::uint64_t id = 1; id <= 5; ++id)
      db.commit(new_job(id));
    db.commit(end_of_job(3, 77));
    db.commit(batch_of(
      std::vector<ordered_policy_row>{{2, 5, "best-fit", "[]"}, {7, 5, "best-fit", "[]"}}));
    db.commit(batch_of(std::vector<machine_row>{{"m", 5, 6, 1, 2, 3, 4, "{}"}}));
  }
  std::ostringstream first;
  const auto counts = export_store(here.place(), first);
  CHECK(counts.jobs == 5);
  CHECK(counts.attempts == 1);
  const auto copy = here.other("copy");
  const auto import = [](const store_place& to, const std::string& text) {
    std::istringstream in{text};
    return import_store(to, in);
  };
  CHECK(import(copy, first.str()).tasks == 1);
  std::ostringstream second;
  export_store(copy, second);
  CHECK(first.str() == second.str());
  CHECK(check_store(copy).faults.empty());
  CHECK(first.str().find(R"({"table":"policies","scheduler":7,"at_ns":5,)") != std::string::npos);
  CHECK_THROWS_AS(import(copy, first.str()), store_refused);
  const auto third = here.other("third");
  CHECK_THROWS_WITH_AS(import(third, first.str() + "{\"table\":\"sqlite_master\"}\n"),
                       doctest::Contains("line "), store_refused);
  auto odd = first.str();
  odd.replace(odd.find("queued"), 6, "dreamy");
  CHECK_THROWS_WITH_AS(import(third, odd), doctest::Contains("cannot be written"), store_refused);
  CHECK_THROWS_AS(check_store(third), store_refused);

  // All kinds of stores have the same text.
  const in_sqlite file;
  import(file.place(), first.str());
  std::ostringstream other;
  export_store(file.place(), other);
  CHECK(first.str() == other.str());
}

TEST_CASE_TEMPLATE("the check finds counters and states that do not fit", Kind, in_sqlite,
                   in_postgres) {
  if (!Kind::is_there())
    return;
  Kind here;
  {
    const auto open = here.open();
    auto& db = *open;
    db.commit(new_job(1));
    db.commit(end_of_job(1, 9));
    db.commit(new_job(2, 10));
  }
  CHECK(check_store(here.place()).faults.empty());
  const auto after = [&](const char* sql, const char* back) {
    here.run(sql);
    const auto wrong = check_store(here.place()).faults;
    here.run(back);
    return wrong.size();
  };
  CHECK(after("UPDATE jobs SET failed=1 WHERE id=2", "UPDATE jobs SET failed=0 WHERE id=2") == 1);
  CHECK(after("UPDATE tasks SET state='failed'", "UPDATE tasks SET state='succeeded'") == 1);
  CHECK(after("UPDATE attempts SET open=1", "UPDATE attempts SET open=0") == 1);
  CHECK(after("UPDATE jobs SET finished_ms=1, state='failed' WHERE id=2",
              "UPDATE jobs SET finished_ms=0, state='queued' WHERE id=2") == 1);
  CHECK(after("UPDATE groups SET rest='cancelled' WHERE job=2",
              "UPDATE groups SET rest='queued' WHERE job=2") == 1);
  CHECK(check_store(here.place()).faults.empty());
}
