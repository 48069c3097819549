#include "workload/generate/factory.hpp"
#include "workload/temp_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace troupe {

namespace {

using namespace std::chrono_literals;
using test::gzip;
using test::temp_file;

constexpr const char* row_format =
  "; a row is: submit time in s, number of tasks, mean duration in s, then the duration of each "
  "task in s, with spaces between";

/// Returns what is said about a trace before the run; "" if it is accepted.
std::string complaint(const std::string& path, const trace_settings& trace = {}) {
  workload_settings settings;
  settings.kind = workload_kind::trace;
  settings.file = path;
  settings.trace = trace;
  try {
    check_workload(settings);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

void check_complaint(const std::string& content, const std::string& expected,
                     const trace_settings& trace = {}) {
  const temp_file file{content};
  CHECK(complaint(file.path(), trace) == file.path() + expected);
}

std::string many_rows(int n) {
  std::string text;
  for (int i = 0; i < n; ++i)
    text += std::to_string(i) + " 1 2 2\n";
  return text;
}

} // namespace

TEST_CASE("no file name, no file and what is no file are refused") {
  CHECK(complaint("") ==
        "[workload] file is empty; expected a trace, as in --set workload.file=PATH");
  CHECK(complaint("/nowhere/x.tr") == "/nowhere/x.tr: no such file");
  CHECK(
    complaint(TROUPE_SOURCE_DIR) == TROUPE_SOURCE_DIR
    ": this directory holds no tables of a trace; expected files or directories with names like "
    "task_events, machine_events, batch_task, machine_meta, server_event or openb_pod");
  CHECK(complaint("/dev/null").starts_with("/dev/null: this is not a regular file"));
  CHECK(complaint("/proc/self/mem").starts_with("/proc/self/mem: the file cannot be read: "));
}

TEST_CASE("empty traces are refused") {
  check_complaint("", ": the file is empty");
  check_complaint(gzip(""), ": the file is empty");
  check_complaint("# nothing\n\n   \n", std::string{": the file holds no rows"} + row_format);
}

TEST_CASE("gzip data that are cut short or damaged are refused") {
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += std::to_string(i) + " 1 2 " + std::to_string(i * 7919 % 1000) + "\n";
  const auto packed = gzip(text);
  REQUIRE(packed.size() > 2000);
  const std::string incomplete = ": the gzip data end too early; the file is incomplete";
  const std::string broken = ": the gzip data are damaged or end too early";
  check_complaint(packed.substr(0, packed.size() / 2), incomplete);
  check_complaint(packed.substr(0, packed.size() - 4), broken);
  check_complaint(packed.substr(0, packed.size() - 8), broken);
  check_complaint(packed.substr(0, 5), broken);
  auto damaged = packed;
  damaged[packed.size() - 6] = static_cast<char>(damaged[packed.size() - 6] ^ 1); // in the checksum
  check_complaint(damaged, broken);
}

TEST_CASE("binary files are refused") {
  const std::string expected = ": this is a binary file (it contains zero bytes); expected text, "
                               "plain or compressed with gzip";
  check_complaint(std::string{"\x7f"
                              "ELF\x02\x01\x01\x00\x00",
                              9},
                  expected);
  check_complaint(gzip(std::string(100, '\0')), expected);
  check_complaint("\x01\x02\xff\xfe something\n",
                  std::string{":1: submit time \"????\" is not a number"} + row_format +
                    " (1 of the first 1 rows are malformed; 1 in 100 may be)");
}

TEST_CASE("a trace with too many malformed rows is refused, naming the first") {
  const auto suffix = [](const std::string& counts) {
    return row_format + (" (" + counts + " rows are malformed; 1 in 100 may be)");
  };
  SUBCASE("the value and what would be right are named") {
    check_complaint("0 1 2 2\n\n3 two 1 1 1\n",
                    ":3: number of tasks \"two\" is not a number" + suffix("1 of the first 2"));
    check_complaint("0 3 2 2 2\n",
                    ":1: number of tasks \"3\" but 2 durations" + suffix("1 of the first 1"));
    check_complaint("0 1\n",
                    ":1: \"0 1\" has fewer than three fields" + suffix("1 of the first 1"));
    check_complaint("0 1 2 x\n", ":1: duration \"x\" is not a number" + suffix("1 of the first 1"));
    check_complaint("-1 1 2 2\n",
                    ":1: submit time \"-1\" is negative" + suffix("1 of the first 1"));
    check_complaint("0 0 2\n",
                    ":1: number of tasks \"0\" is not above 0" + suffix("1 of the first 1"));
  }
  SUBCASE("long values are cut") {
    check_complaint(std::string(100'000, 'x') + "\n", ":1: submit time \"" + std::string(40, 'x') +
                                                        "...\" is not a number" +
                                                        suffix("1 of the first 1"));
  }
  SUBCASE("rows out of order count, with advice") {
    check_complaint("5 1 1 1\n3 1 1 1\n",
                    ":2: submit time \"3\" is earlier than 5s of a row before; sort the "
                    "file by its first column" +
                      suffix("1 of the first 2"));
  }
  SUBCASE("a speedup must not push times out of range") {
    check_complaint("5 1 1 1\n",
                    ":1: submit time \"5\", divided by the speedup, is above 1000000000 s" +
                      suffix("1 of the first 1"),
                    {.speedup = 1e-9});
  }
  SUBCASE("1 in 100 is the limit") {
    const std::string bad = "x 1 1 1\n";
    const temp_file good{many_rows(99) + bad};
    CHECK(complaint(good.path()) == "");
    check_complaint(many_rows(98) + bad,
                    ":99: submit time \"x\" is not a number" + suffix("1 of the first 99"));
  }
  SUBCASE("it is judged from the 1,000th row on, without reading all of it") {
    std::string text;
    for (int i = 0; i < 20; ++i)
      text += "x 1 1 1\n";
    check_complaint(text + many_rows(1970) + "x 1 1 1\n" + many_rows(100'000),
                    ":1: submit time \"x\" is not a number" + suffix("21 of the first 1991"));
  }
}

TEST_CASE("a window without any row is refused") {
  check_complaint(many_rows(10),
                  ": no row is submitted in the window of [workload.trace], from 20s to 30s",
                  {.from = 20s, .to = 30s});
  check_complaint(many_rows(10),
                  ": no row is submitted in the window of [workload.trace], from 20s to the end",
                  {.from = 20s});
}

TEST_CASE("what is wrong far into a large trace ends the run with the same message") {
  std::string text = many_rows(1'500'000);
  REQUIRE(text.size() > 17 * 1024 * 1024);
  const temp_file file{text.substr(0, 17 * 1024 * 1024) + '\0' + many_rows(10)};
  workload_settings settings;
  settings.kind = workload_kind::trace;
  settings.file = file.path();
  CHECK_NOTHROW(check_workload(settings));
  const auto source = make_job_source(settings, 1, 1, random_stream{});
  CHECK_THROWS_WITH_AS(
    [&] {
      while (source->next())
        continue;
    }(),
    doctest::Contains("this is a binary file"), std::runtime_error);
}

} // namespace troupe
