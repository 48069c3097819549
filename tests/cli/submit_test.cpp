#include "cli/mistakes.hpp"
#include "cli/process.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <sys/stat.h>

using namespace troupe::test;

TEST_CASE("a job that is not what it seems is refused before a cluster is asked") {
  const scratch here;
  const auto refused = [&](const std::vector<std::string>& words) {
    auto all = words;
    all.insert(all.begin(), "submit");
    const auto told = here.run(all);
    CHECK(told.code == 2);
    return told.err;
  };
  here.write("job.toml", "command = [\"true\"]\n");
  std::filesystem::create_directory(here.path() / "folder.toml");
  CHECK(refused({"nightly.toml"}) == "troupe: nightly.toml: cannot be read; expected a job file\n");
  CHECK(refused({"folder.toml"}) ==
        "troupe: folder.toml: this is a directory; expected a job file\n");
  CHECK(refused({"job.toml", "--count", "7"}) ==
        "troupe: submit: options of a job beside the job file job.toml; expected them in the file, "
        "or a command behind '--'\n");
  CHECK(contains(refused({"--", ""}), "submit: a command is missing; expected one, as in"));
  here.write("hasty.toml", "[[groups]]\ncommand = [\"true\"]\nlease = \"2s\"\ncount = 0\n");
  const auto hasty = refused({"hasty.toml"});
  CHECK(contains(hasty, "hasty.toml:3: groups/0/lease: is 2000ms; expected at least 3s"));
  CHECK(contains(hasty, "hasty.toml:4: groups/0/count: is 0"));
  CHECK(contains(refused({"--lease", "1s", "--", "true"}), "troupe: --lease: is 1000ms"));
  CHECK(
    contains(refused({"--cpu", "x", "--", "true"}), "--cpu: 'x' is not a number, or out of range"));
  CHECK(contains(refused({"--priority", "9999999999", "--", "true"}),
                 "--priority: '9999999999' is not a number, or out of range"));
  CHECK(contains(refused({"--", "cat", "caf\xe9"}), "is not UTF-8; expected text in UTF-8"));
  CHECK(contains(refused({"--env", "A=\xe9", "--", "true"}), "--env: "));
  std::string entries;
  for (int i = 0; i < 2'000; ++i)
    entries += '"' + std::string(1'000, 'x') + "\",";
  here.write("long.toml", "[[groups]]\ncommand = [\"true\"]\nentries = [" + entries + "]\n");
  const std::string nobody = "http://127.0.0.1:9/";
  CHECK(
    contains(refused({"long.toml", "--api", nobody}), "bytes of JSON; expected at most 1048576"));
  CHECK(contains(refused({"--api", nobody, "--token", "typo", "--", "true"}), "typo: "));
  for (const char* key : {"", " k", "k ", "k\r\nX: y"})
    CHECK(contains(refused({"--api", nobody, "--key", key, "--", "true"}), "--key '"));
  CHECK_FALSE(std::filesystem::exists(here.path() / "typo"));
}

TEST_CASE("a job, a task and an attempt that are no numbers are named") {
  const scratch here;
  check_refused(here, {
                        {{"job", "x"}, "'x' is no job; expected its number, as 'troupe jobs'"},
                        {{"job", "1", "x"}, "'x' is no task of a job; expected its number"},
                        {{"logs", "1", "x"}, "'x' is no task of a job; expected its number"},
                        {{"logs", "1", "--attempt", "x"}, "'x' is no attempt; expected its number"},
                      });
}

TEST_CASE("an export of jobs replaces files only") {
  const scratch here;
  const auto pipe = here.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const auto told = here.run({"store", "export", "jobs.sqlite", "--out", "pipe"});
  CHECK(told.code == 2);
  CHECK(told.err == "troupe: store export: --out pipe: it is no regular file; expected a file, or "
                    "no --out for standard output\n");
  CHECK(std::filesystem::is_fifo(pipe));
}

TEST_CASE("a cluster is not begun for commands of a user that is not there") {
  const scratch here;
  const auto told = here.run({"cluster", "up", TROUPE_SOURCE_DIR "/configs/jobs.toml", "--nodes",
                              "2", "--run-as", "no-such-user"});
  CHECK(told.code == 2);
  CHECK(contains(told.err, "--run-as no-such-user: there is no such user"));
}

TEST_CASE("an interval that is no number is refused, and a list of nothing") {
  const scratch here;
  CHECK(here.run({"top", "--interval", "nan"}).code == 2);
  CHECK(here.run({"jobs", "--limit", "0"}).code == 2);
}
