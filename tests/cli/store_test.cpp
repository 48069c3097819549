#include "cli/mistakes.hpp"
#include "support/documented_json.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace troupe::test;
using store_json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A job of two tasks, one of which has succeeded.
constexpr const char* small_export =
  R"({"troupe_store":3,"has_end":true}
{"table":"meta","key":"next_job","value":2}
{"table":"jobs","id":1,"name":"one","tenant":"default","priority":0,"state":"running","tasks":2,"running":0,"succeeded":1,"failed":0,"cancelled":0,"reason":"","submitted_ms":1,"started_ms":2,"finished_ms":0,"cancel_ms":0,"spec":"{}"}
{"table":"submissions","tenant":"default","key":"k","job":1}
{"table":"groups","job":1,"number":0,"first_task":0,"tasks":2,"rest":"queued","rest_reason":"","running":0,"succeeded":1,"failed":0,"cancelled":0}
{"table":"tasks","job":1,"task":0,"grp":0,"state":"succeeded","attempts":1,"retries":0,"losses":0,"reason":""}
{"table":"attempts","job":1,"task":0,"attempt":1,"node":"b","boot":-1,"machine_state":"m","granted_ms":2,"open":0,"lost":0,"reason":"none","exit_code":0,"signal":0,"core":0,"oom":0,"started_ns":3,"ended_ns":4,"user_us":5,"system_us":6,"max_rss":7,"out_bytes":8,"err_bytes":9,"detail":"ü"}
{"table":"policies","scheduler":0,"at_ns":10,"policy":"adaptive","settings":"[\"tau=1s\"]"}
{"table":"machines","node":"b","since_ms":1,"until_ms":0,"cpu":4000,"memory":7800,"gpu":0,"slots":4,"attributes":"{}"}
{"rows":8}
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

store_json documented(const std::string& section, const outcome& run, int code) {
  CAPTURE(run.err);
  REQUIRE(run.code == code);
  const auto output = store_json::parse(run.out);
  for (const auto& fault : documented_json{}.faults(section, output))
    FAIL_CHECK(section << ": " << fault);
  return output;
}

} // namespace

TEST_CASE("store imports what it has exported") {
  const scratch here;
  here.write("a.jsonl", small_export);
  const auto import = here.run({"store", "import", "a.jsonl", "new.sqlite"});
  CAPTURE(import.err);
  CHECK(import.code == 0);
  CHECK(import.out == "new.sqlite: 1 jobs, 1 rows of tasks, 1 attempts are in the new store\n");
  const auto check = here.run({"store", "check", "new.sqlite"});
  CHECK(check.code == 0);
  CHECK(check.out == "new.sqlite: 1 jobs, 1 rows of tasks, 1 attempts; no faults\n");
  CHECK(here.run({"store", "export", "new.sqlite"}).out == small_export);

  fs::create_directory(here.path() / "node");
  documented("store import", here.run({"store", "import", "a.jsonl", "node", "--json"}), 0);
  const auto exported = documented(
    "store export", here.run({"store", "export", "node", "--out", "b.jsonl", "--json"}), 0);
  CHECK(exported["store"] == "node/jobs.sqlite");
  CHECK(exported["jobs"] == 1);
  CHECK(read_file(here.path() / "b.jsonl") == small_export);
  for (const char* name : {"b.jsonl", "new.sqlite", "node/jobs.sqlite"})
    CHECK(fs::status(here.path() / name).permissions() ==
          (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("store check names what contradicts itself") {
  const scratch here;
  here.write("a.jsonl", replaced(small_export, R"("running":0,"succeeded":1)",
                                 R"("running":1,"succeeded":1)"));
  REQUIRE(here.run({"store", "import", "a.jsonl", "new.sqlite"}).code == 0);
  const auto check = here.run({"store", "check", "new.sqlite"});
  CHECK(check.code == 1);
  CHECK(contains(check.out, "the counters of a job differ from those of its groups: job 1\n"));
  const auto told =
    documented("store check", here.run({"store", "check", "new.sqlite", "--json"}), 1);
  CHECK(told["faults"].size() == 1);
}

TEST_CASE("store refuses what it cannot use") {
  const scratch here;
  const std::string good{small_export};
  here.write("good.jsonl", good);
  REQUIRE(here.run({"store", "import", "good.jsonl", "there.sqlite"}).code == 0);
  here.write("text", std::string(5'000, 'x'));
  here.write("empty.jsonl", "");
  here.write("other.jsonl", "{\"id\":1}\n");
  here.write("newer.jsonl", replaced(good, "\"troupe_store\":3", "\"troupe_store\":99"));
  here.write("word.jsonl", replaced(good, "\"grp\":0", "\"grp\":\"zero\""));
  here.write("half.jsonl", good.substr(0, good.size() - 31));
  here.write("cut.jsonl", good.substr(0, good.find("{\"table\":\"machines\"")));
  here.write("less.jsonl",
             replaced(good, "{\"table\":\"meta\",\"key\":\"next_job\",\"value\":2}\n", ""));
  here.write("older.jsonl",
             replaced(replaced(good, "\"troupe_store\":3,\"has_end\":true", "\"troupe_store\":1"),
                      "{\"rows\":8}\n", ""));
  CHECK(here.run({"store", "import", "older.jsonl", "older.sqlite"}).code == 0);
  here.write("state.jsonl", replaced(good, "\"state\":\"running\"", "\"state\":\"odd\""));
  here.write("x.sqlite.lock", "");
  const auto both = here.run({"store", "export", "there.sqlite", "--json"});
  CHECK(both.code == 2);
  CHECK(contains(both.err, "--json without --out; expected both"));
  check_refused(
    here,
    {{{"store"}, "see 'troupe store --help'"},
     {{"store", "check"}, "STORE is required"},
     {{"store", "check", "missing.sqlite"}, "store check: missing.sqlite: there is no such store"},
     {{"store", "check", "."}, "store check: ./jobs.sqlite: there is no such store"},
     {{"store", "check", "text"}, "store check: text: cannot be read as a store"},
     {{"store", "export", "missing.sqlite"}, "store export: missing.sqlite: there is no such"},
     {{"store", "export", "there.sqlite", "--out", "no/file"}, "--out no/file: it cannot be"},
     {{"store", "import", "missing", "x.sqlite"}, "store import: missing: it cannot be read"},
     {{"store", "import", "good.jsonl", "there.sqlite"}, "there.sqlite: exists; expected"},
     {{"store", "import", "empty.jsonl", "x.sqlite"}, "line 1 of the export is missing"},
     {{"store", "import", "other.jsonl", "x.sqlite"}, "line 1 of the export is not the first"},
     {{"store", "import", "newer.jsonl", "x.sqlite"}, "line 1 of the export has version 99"},
     {{"store", "import", "word.jsonl", "x.sqlite"},
      "line 6 of the export grp is \"zero\"; expected a whole number"},
     {{"store", "import", "half.jsonl", "x.sqlite"}, "line 9 of the export is no JSON object"},
     {{"store", "import", "cut.jsonl", "x.sqlite"},
      "line 8 of the export is not its last one: the rest is missing"},
     {{"store", "import", "less.jsonl", "x.sqlite"},
      "line 9 of the export says that there are 8 rows; there are 7"},
     {{"store", "import", "state.jsonl", "x.sqlite"}, "line 3 of the export cannot be written"},
     {{"store", "check", "postgresql://me:secret@host/db"}, "STORE is an address with a password"},
     {{"store", "check", "postgresql://host/db?pass%77ord=x"},
      "STORE is an address with a password"}});
}
