#include "jobs/store/sqlite_database.hpp"
#include "jobs/store/sqlite_schema.hpp"
#include "store_rows.hpp"

#include <doctest/doctest.h>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a store returns what was committed, also after it was opened again") {
  const store_directory dir;
  const auto made = new_job(7, 3);
  const auto end = end_of_job(8, 2'000);
  for (int round = 0; round < 2; ++round) {
    sqlite_database db{dir.store(), sqlite_sync::off};
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
  struct stat of {};
  REQUIRE(stat(dir.store().c_str(), &of) == 0);
  CHECK((of.st_mode & 0777) == 0600);
  CHECK(check_store(dir.store()).empty());
}

TEST_CASE("lists have the newest first, go on where they ended, and filter") {
  const store_directory dir;
  sqlite_database db{dir.store(), sqlite_sync::off};
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

TEST_CASE("a forgotten job leaves nothing") {
  const store_directory dir;
  sqlite_database db{dir.store(), sqlite_sync::off};
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

TEST_CASE("a second process, or a second opening, is refused") {
  const store_directory dir;
  std::optional<sqlite_database> db;
  db.emplace(dir.store(), sqlite_sync::off);
  CHECK_THROWS_AS((sqlite_database{dir.store(), sqlite_sync::off}), store_refused);
  const auto child = fork();
  if (child == 0) {
    try {
      const sqlite_database second{dir.store(), sqlite_sync::off};
    } catch (const store_refused&) {
      _exit(7);
    }
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 7);
  db.reset();
  CHECK_NOTHROW(db.emplace(dir.store(), sqlite_sync::off));
}

TEST_CASE("what was answered is there after kill -9 in the middle of commits") {
  for (int round = 0; round < 3; ++round) {
    const store_directory dir;
    int answers[2];
    REQUIRE(pipe(answers) == 0);
    const auto child = fork();
    if (child == 0) {
      sqlite_database db{dir.store()};
      for (std::uint64_t id = 1;; ++id) {
        db.commit(new_job(id, 3));
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
    sqlite_database db{dir.store()};
    const auto live = db.load();
    CHECK(live.jobs.size() >= last);
    CHECK(live.jobs.size() <= last + 1); // the one that was under way
    for (std::uint64_t id = 1; id <= last; ++id)
      CHECK(live.jobs[id - 1].job == new_job(id, 3).jobs[0]);
    CHECK(check_store(dir.store()).empty());
  }
}

TEST_CASE("a full store keeps nothing of the batch, and can be used once there is room") {
  const store_directory dir;
  sqlite_database db{dir.store(), sqlite_sync::off};
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

TEST_CASE("an older store is brought up to date, a newer or foreign one is refused") {
  const store_directory dir;
  {
    SQLite::Database old{dir.store(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
    old.exec("PRAGMA application_id = 1414680645");
    old.exec(std::string{schema_steps().at(0)});
    old.exec("PRAGMA user_version = 1");
    old.exec("INSERT INTO meta VALUES('next_job', 42)");
  }
  CHECK_THROWS_AS(check_store(dir.store()), store_refused);
  {
    sqlite_database db{dir.store(), sqlite_sync::off};
    CHECK(db.load().next_job == 42);
    db.commit(new_job(42));
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
  CHECK_THROWS_WITH_AS((sqlite_database{dir.store(), sqlite_sync::off}),
                       doctest::Contains("expected a newer program"), store_refused);
  {
    SQLite::Database{dir / "other", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE}.exec(
      "CREATE TABLE t(x)");
  }
  CHECK_THROWS_WITH_AS((sqlite_database{dir / "other", sqlite_sync::off}),
                       doctest::Contains("is no store of Troupe"), store_refused);
  std::ofstream{dir / "text"} << std::string(5'000, 'x');
  CHECK_THROWS_AS((sqlite_database{dir / "text", sqlite_sync::off}), store_refused);
}

TEST_CASE("an export makes the same store again") {
  const store_directory dir;
  {
    sqlite_database db{dir.store(), sqlite_sync::off};
    for (std::uint64_t id = 1; id <= 5; ++id)
      db.commit(new_job(id));
    db.commit(end_of_job(3, 77));
  }
  std::ostringstream first;
  export_store(dir.store(), first);
  std::istringstream in{first.str()};
  import_store(dir / "copy", in);
  std::ostringstream second;
  export_store(dir / "copy", second);
  CHECK(first.str() == second.str());
  CHECK(check_store(dir / "copy").empty());
  in.clear();
  in.seekg(0);
  CHECK_THROWS_AS(import_store(dir / "copy", in), store_refused);
  std::istringstream bad{first.str() + "{\"table\":\"sqlite_master\"}\n"};
  CHECK_THROWS_WITH_AS(import_store(dir / "third", bad), doctest::Contains("line "), store_refused);
  CHECK_FALSE(std::filesystem::exists(dir / "third"));
}

TEST_CASE("the check finds counters and states that do not fit") {
  const store_directory dir;
  {
    sqlite_database db{dir.store(), sqlite_sync::off};
    db.commit(new_job(1));
    db.commit(end_of_job(1, 9));
    db.commit(new_job(2, 10));
  }
  CHECK(check_store(dir.store()).empty());
  const auto after = [&](const char* sql, const char* back) {
    SQLite::Database file{dir.store(), SQLite::OPEN_READWRITE};
    file.exec(sql);
    const auto wrong = check_store(dir.store());
    file.exec(back);
    return wrong.size();
  };
  CHECK(after("UPDATE jobs SET failed=1 WHERE id=2", "UPDATE jobs SET failed=0 WHERE id=2") == 1);
  CHECK(after("UPDATE tasks SET state='failed'", "UPDATE tasks SET state='succeeded'") == 1);
  CHECK(after("UPDATE attempts SET open=1", "UPDATE attempts SET open=0") == 1);
  CHECK(after("UPDATE jobs SET finished_ms=1, state='failed' WHERE id=2",
              "UPDATE jobs SET finished_ms=0, state='queued' WHERE id=2") == 1);
  CHECK(after("UPDATE groups SET rest='cancelled' WHERE job=2",
              "UPDATE groups SET rest='queued' WHERE job=2") == 1);
  CHECK(check_store(dir.store()).empty());
}
