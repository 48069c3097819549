#include "jobs/service/job_service.hpp"
#include "jobs/store/postgres_schema.hpp"
#include "jobs/store/sqlite_schema.hpp"
#include "jobs/store/store_tables.hpp"
#include "jobs/store/store_tools.hpp"
#include "kinds_of_stores.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

bool soon(const std::function<bool()>& holds) {
  const auto until = std::chrono::steady_clock::now() + 60s;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until)
      return false;
    std::this_thread::sleep_for(20ms);
  }
  return true;
}

submit_outcome submit_to(job_service& service, const std::string& key) {
  std::promise<submit_outcome> told;
  service.submit(read_job_json(R"({"groups":[{"command":["true"]}]})"), key,
                 [&](submit_outcome o) { told.set_value(o); });
  return told.get_future().get();
}

} // namespace

TEST_CASE("one keeper at a time has the lease, and the next one fences the last") {
  if (!in_postgres::is_there())
    return;
  const in_postgres here;
  const auto first = here.lease_for(20s, "a");
  REQUIRE(first->try_take());
  CHECK(first->try_take()); // its own
  CHECK(first->is_held());
  const auto second = here.lease_for(20s, "b");
  CHECK_FALSE(second->try_take());
  CHECK(second->keeper().node == "a");
  CHECK_FALSE(second->is_held());

  postgres_database old{first};
  old.commit(new_job(1));
  here.run("UPDATE keeper SET expires = '-infinity'"); // as if it had stood still for so long
  REQUIRE(soon([&] { return second->try_take(); }));
  CHECK(second->epoch() > first->epoch());
  CHECK_THROWS_AS(old.commit(new_job(2)), store_lost);
  CHECK_THROWS_AS(old.load(), store_lost);
  CHECK_FALSE(old.is_held());
  CHECK_THROWS_AS(old.job(1), store_away); // what it read might be out of date
  postgres_database next{second};
  CHECK(next.load().jobs.size() == 1);
  next.commit(new_job(2));
  CHECK(next.jobs({}, 0, 10).size() == 2);
}

TEST_CASE("a keeper that stands still loses the lease, and notices it") {
  if (!in_postgres::is_there())
    return;
  const in_postgres here;
  int told[2];
  REQUIRE(pipe(told) == 0);
  const auto child = fork();
  if (child == 0) {
    keeper_options options;
    options.database = here.place().database;
    options.self.node = "frozen";
    options.lease = 1s;
    const auto lease = std::make_shared<keeper_lease>(options);
    if (!lease->try_take() || write(told[1], "t", 1) != 1)
      _exit(1);
    while (lease->is_held())
      std::this_thread::sleep_for(1ms);
    _exit(soon([&] { return lease->is_lost(); }) ? 7 : 2);
  }
  char word = 0;
  REQUIRE(read(told[0], &word, 1) == 1);
  const auto next = here.lease_for(20s, "next");
  const auto expiry = [&] {
    pqxx::connection c{here.place().database};
    pqxx::read_transaction look{c};
    return look.exec1("SELECT extract(epoch FROM expires)::float8 FROM keeper")[0].as<double>();
  };
  const auto first = expiry();
  CHECK(soon([&] { return expiry() > first + 1; })); // it is renewed, for longer than once
  CHECK_FALSE(next->try_take());
  kill(child, SIGSTOP);
  CHECK(soon([&] { return next->try_take(); }));
  kill(child, SIGCONT);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(next->is_held());
}

TEST_CASE("a commit that a keeper has left half-way does not hold up the next keeper") {
  if (!in_postgres::is_there())
    return;
  const in_postgres here;
  int told[2];
  REQUIRE(pipe(told) == 0);
  {
    const auto lease = here.lease_for(20s);
    REQUIRE(lease->try_take()); // makes the tables
  }
  const auto child = fork();
  if (child == 0) {
    postgres_session session{here.place().database};
    pqxx::work work{session.connection()};
    work.exec("SELECT epoch FROM keeper FOR KEY SHARE");
    if (write(told[1], "t", 1) != 1)
      _exit(1);
    ::pause();
  }
  char word = 0;
  REQUIRE(read(told[0], &word, 1) == 1);
  const auto next = here.lease_for(20s);
  const auto began = std::chrono::steady_clock::now();
  CHECK(next->try_take());
  CHECK(std::chrono::steady_clock::now() - began < 10s);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_CASE(
  "a database without room keeps nothing of the batch, and can be used once there is room") {
  if (!in_postgres::is_there())
    return;
  const in_postgres here;
  const auto db = here.open();
  db->commit(new_job(1));
  // As a disk without room refuses.
  here.run("CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION"
           " 'no space left on device' USING ERRCODE = 'disk_full'; END $$;"
           "CREATE TRIGGER no_room BEFORE INSERT ON groups EXECUTE FUNCTION no_room()");
  CHECK_THROWS_WITH_AS(db->commit(new_job(2)), doctest::Contains("no space left"), store_full);
  CHECK(db->jobs({}, 0, 10).size() == 1);
  here.run("DROP TRIGGER no_room ON groups");
  db->commit(new_job(2));
  CHECK(db->jobs({}, 0, 10).size() == 2);
  CHECK_THROWS_AS(db->commit(new_job(2)), store_broken); // it is there
}

TEST_CASE("a database that is read-only for a time counts as away") {
  if (!in_postgres::is_there())
    return;
  const in_postgres here;
  // Sessions that are open keep their setting, so they are ended.
  const auto make = [&](const std::string& setting) {
    here.run("SET TRANSACTION READ WRITE; ALTER DATABASE " + here.name() + ' ' + setting +
             "; SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
             "WHERE datname = current_database() AND pid <> pg_backend_pid()");
  };
  const auto lease = here.lease_for(20s, "a");
  REQUIRE(lease->try_take());
  postgres_database store{lease};
  store.commit(new_job(1));
  make("SET default_transaction_read_only = on");
  CHECK_THROWS_AS(store.commit(new_job(2)), store_away);
  CHECK_THROWS_WITH_AS(store.commit(new_job(2)), doctest::Contains("read-only"), store_away);
  const auto standby = here.lease_for(20s, "b");
  CHECK_THROWS_AS(standby->try_take(), store_away);
  make("RESET default_transaction_read_only");
  CHECK(soon([&] {
    try {
      store.commit(new_job(2));
      return true;
    } catch (const store_away&) {
      return false;
    }
  }));
  CHECK(store.jobs({}, 0, 10).size() == 2);
}

TEST_CASE("text that is no UTF-8, or has NUL, is kept as well as can be") {
  if (!in_postgres::is_there())
    return;
  const in_postgres here;
  const auto db = here.open();
  auto odd = new_job(1);
  odd.submissions[0].key = "k\xff";
  odd.jobs[0].reason = std::string{"a\0b", 3};
  db->commit(odd);
  CHECK(db->submission("odd", "k\xff") == 1);
  CHECK(db->job(1)->reason == "a?b");
}

TEST_CASE("stores of other kinds of PostgreSQL are refused") {
  if (!in_postgres::is_there())
    return;
  const in_postgres foreign;
  foreign.run("CREATE TABLE jobs(x INTEGER)");
  CHECK_THROWS_WITH_AS(foreign.open(), doctest::Contains("a table named jobs"), store_refused);
  CHECK_THROWS_WITH_AS(check_store(foreign.place()), doctest::Contains("a table named jobs"),
                       store_refused);
  const in_postgres newer;
  CHECK_THROWS_WITH_AS(check_store(newer.place()), doctest::Contains("has no store"),
                       store_refused);
  newer.open();
  newer.run("UPDATE troupe_store SET version = 99");
  CHECK_THROWS_WITH_AS(newer.open(), doctest::Contains("expected a newer program"), store_refused);
  const auto at = [](const char* address) {
    keeper_options options;
    options.database = address;
    return options;
  };
  CHECK_THROWS_AS((keeper_lease{at("postgresql:///db?no_such=1")}), store_refused);
  keeper_lease nowhere{at("postgresql:///db?host=/nowhere")};
  CHECK_THROWS_AS(nowhere.try_take(), store_away);
}

TEST_CASE("an older store of PostgreSQL is brought up to date") {
  if (!in_postgres::is_there())
    return;
  const in_postgres here;
  here.run(std::string{postgres_steps().at(0)} +
           "UPDATE troupe_store SET version = 1; INSERT INTO meta VALUES('next_job', 42)");
  CHECK_THROWS_AS(check_store(here.place()), store_refused);
  CHECK(here.open()->load().next_job == 42);
  CHECK(check_store(here.place()).faults.empty());
  here.run("DROP INDEX jobs_by_name"); // it is there
  CHECK(postgres_steps().size() == static_cast<std::size_t>(store_version));
  CHECK(schema_steps().size() == static_cast<std::size_t>(store_version));
}

TEST_CASE("commits wait for the disk, also if the settings of the database say no") {
  if (!in_postgres::is_there())
    return;
  const in_postgres here;
  here.open();
  here.run("CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name ="
           " current_setting('synchronous_commit'); RETURN NEW; END $$;"
           "CREATE TRIGGER look BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION look();"
           "ALTER ROLE troupe IN DATABASE " +
           here.name() + " SET synchronous_commit = off");
  {
    const auto db = here.open(store_sync::full);
    db->commit(new_job(1));
    CHECK(db->job(1)->name == "on");
  }
  const auto db = here.open(store_sync::off);
  db->commit(new_job(2));
  CHECK(db->job(2)->name == "off");
}

TEST_CASE(
  "the service goes on after the server was killed; each answered submission is there once") {
  if (!in_postgres::is_there())
    return;
  postgres_server server;
  keeper_options options;
  options.database = server.new_database();
  options.self.node = "a";
  const auto lease = std::make_shared<keeper_lease>(options);
  REQUIRE(lease->try_take());
  const auto store = std::make_shared<postgres_database>(lease);
  job_service service{store};
  std::atomic<bool> stop{false};
  std::atomic<int> answered{0};
  std::vector<std::thread> clients;
  std::vector<std::vector<std::uint64_t>> ids(4);
  for (auto& mine : ids)
    clients.emplace_back([&] {
      for (int n = 0; !stop; ++n) {
        const auto key = std::to_string(&mine - ids.data()) + '.' + std::to_string(n);
        for (;;) { // as clients do
          const auto told = submit_to(service, key);
          if (told.what == submit_outcome::kind::made ||
              told.what == submit_outcome::kind::repeated) {
            mine.push_back(told.id);
            ++answered;
            break;
          }
          if (told.what != submit_outcome::kind::unavailable)
            std::abort();
          std::this_thread::sleep_for(10ms);
        }
      }
    });
  for (int round = 0; round < 2; ++round) {
    const int before = answered;
    REQUIRE(soon([&] { return answered > before + 40; }));
    server.kill_hard();
    server.start();
  }
  const int before = answered;
  CHECK(soon([&] { return answered > before + 40; }));
  stop = true;
  for (auto& c : clients)
    c.join();
  std::vector<std::uint64_t> all;
  for (const auto& mine : ids)
    all.insert(all.end(), mine.begin(), mine.end());
  std::ranges::sort(all);
  CHECK(std::ranges::adjacent_find(all) == all.end());
  CHECK(store->jobs({}, 0, 100'000).size() == all.size());
  for (const auto id : all)
    CHECK(store->job(id));
  CHECK(check_store({{}, options.database}).faults.empty());
}
