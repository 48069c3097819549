#include "jobs/spec/amounts.hpp"
#include "jobs/spec/job_spec.hpp"

#include <doctest/doctest.h>

#include <random>
#include <stdexcept>
#include <string>

using namespace troupe;

namespace {

std::string faults_of(const std::string& json) {
  try {
    read_job_json(json);
  } catch (const spec_error& e) {
    return e.what();
  }
  return "none";
}

std::string toml_faults(const std::string& toml) {
  try {
    read_job_toml(toml, "job.toml");
  } catch (const spec_error& e) {
    return e.what();
  }
  return "none";
}

/// A job with one group that has these members besides the command.
std::string with(const std::string& members) {
  return R"({"groups":[{"command":["true"],)" + members + "}]}";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* file = R"(name = "build"
tenant = "ci"
priority = 3
after = [4, 2]

[[groups]]
name = "compile"
count = 8
command = ["make", "all"]
env = {A = "1", B = ""}
dir = "/src"
cpu = 0.5
memory = "256MiB"
gpu = 1
constraints = ["zone=a", "disk != hdd"]
gang = true
retries = 2
time_limit = "60s"
grace = "1s"
lease = "forever"
output_limit = "1MiB"

[[groups]]
name = "test"
command = ["make", "test"]
after = ["compile"]
entries = ["x", "y"]
)";

} // namespace

TEST_CASE("a job file has groups, dependencies and arrays") {
  const auto spec = read_job_toml(file, "job.toml");
  CHECK(spec.name == "build");
  CHECK(spec.after == std::vector<std::uint64_t>{2, 4});
  REQUIRE(spec.groups.size() == 2);
  const auto& a = spec.groups[0];
  CHECK(a.count == 8);
  CHECK(a.argv == std::vector<std::string>{"make", "all"});
  CHECK(a.env.at("A") == "1");
  CHECK(a.demand()[resource::cpu] == 500);
  CHECK(a.demand()[resource::memory] == 256);
  CHECK(a.demand()[resource::gpu] == 1000);
  CHECK(to_string(a.constraints.at(0)) == "zone == a");
  CHECK(to_string(a.constraints.at(1)) == "disk != hdd");
  CHECK(a.gang);
  CHECK(a.lease.count() == 0);
  CHECK(a.time_limit == std::chrono::seconds{60});
  CHECK(a.output_limit_bytes == 1 << 20);
  const auto& b = spec.groups[1];
  CHECK(b.after == std::vector<std::uint32_t>{0});
  CHECK(b.count == 2);
  CHECK(b.lease == std::chrono::seconds{60});
  CHECK(b.demand()[resource::cpu] == 1000);
  CHECK(spec.task_count() == 10);
}

TEST_CASE("a job survives JSON, in one form for one meaning") {
  const auto spec = read_job_toml(file, "job.toml");
  const auto json = to_json(spec);
  CHECK(read_job_json(json) == spec);
  CHECK(to_json(read_job_json(json)) == json);
  const auto a = read_job_json(R"({"groups":[{"command":["a"],"memory":"1GiB","cpu":1.0}]})");
  const auto b = read_job_json(R"({"groups":[{"cpu":1,"command":["a"],"memory":1073741824}]})");
  CHECK(to_json(a) == to_json(b));
}

TEST_CASE("a fault is told with its place, its value and what would be right") {
  CHECK(has(faults_of("{"), "it is not JSON"));
  CHECK(has(faults_of("[]"), "is []; expected an object"));
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  CHECK(has(faults_of(R"({"name":)" + deep + "}"), "/name: is an array; expected a text"));
  CHECK(has(faults_of(with(R"("dir":{"a":1})")), "/groups/0/dir: is an object; expected a text"));
  CHECK(has(faults_of("{}"), "has no groups"));
  CHECK(has(faults_of(R"({"groups":[]})"), "has no groups"));
  CHECK(has(faults_of(R"({"groups":[{}]})"), "/groups/0: has no command"));
  CHECK(has(faults_of(R"({"groups":[{"command":[""]}]})"), "has no command"));
  CHECK(has(faults_of(R"({"groups":[{"command":["a",7]}]})"), "/groups/0/command/1: is 7"));
  CHECK(has(faults_of(R"({"groups":[{"command":["a\u0000b"]}]})"), "none of them 0"));
  CHECK(has(faults_of(with(R"("count":0)")), "/groups/0/count: is 0; expected a whole number"));
  CHECK(has(faults_of(with(R"("count":1000001)")), "from 1 to 1000000"));
  CHECK(has(faults_of(with(R"("count":18446744073709551615)")), "from 1 to 1000000"));
  CHECK(has(faults_of(with(R"("count":1.5)")), "is 1.5"));
  CHECK(has(faults_of(with(R"("memory":"lots")")), "/groups/0/memory: is \"lots\"; expected an"));
  CHECK(has(faults_of(with(R"("memory":-1)")), "/groups/0/memory: is -1"));
  CHECK(has(faults_of(with(R"("cpu":-1)")), "/groups/0/cpu: is -1"));
  CHECK(has(faults_of(with(R"("cpu":0.0001)")), "in steps of 0.001"));
  CHECK(has(faults_of(with(R"("dir":"tmp")")), "/groups/0/dir: is not an absolute path"));
  CHECK(has(faults_of(with(R"("time_limit":"soon")")), "such as \"60s\""));
  CHECK(has(faults_of(with(R"("lease":"0s")")), "or \"forever\""));
  CHECK(faults_of(with(R"("lease":"2s")")) == "none"); // stored jobs may have it
  CHECK(has(faults_of(with(R"("constraints":["zone"])")), "/groups/0/constraints/0: expected"));
  CHECK(has(faults_of(with(R"("env":{"TROUPE_JOB":"1"})")), "is set by Troupe"));
  CHECK(has(faults_of(with(R"("env":{"A=B":"1"})")), "/groups/0/env/A=B: is no name"));
  CHECK(has(faults_of(with(R"("env":{"a/b":1})")), "/groups/0/env/a~1b: is 1"));
  CHECK(has(faults_of(with(R"("after":["tasks"])")), "a group before this one"));
  CHECK(has(faults_of(with(R"("retrys":1)")), "is unknown; did you mean retries?"));
  CHECK(has(faults_of(R"({"groups":[{"command":["a"]}],"x":1})"), "/x: is unknown; expected one"));
  CHECK(has(faults_of(R"({"groups":[{"command":["a"]}],"after":[0]})"), "/after/0: is 0"));
  CHECK(has(faults_of(R"({"groups":[{"command":["a"],"name":"n"},{"command":["b"],"name":"n"}]})"),
            "/groups/1/name: is the name of another group"));
  CHECK(has(faults_of(with(R"("count":3,"entries":["a"])")), "differs from the number of entries"));
  const auto half = R"({"command":["a"],"count":600000,"name":)";
  CHECK(has(faults_of(R"({"groups":[)" + std::string{half} + R"("a"},)" + half + R"("b"}]})"),
            "have 1200000 tasks"));
}

TEST_CASE("all faults are told at once, but not without end") {
  const auto two = faults_of(with(R"("count":0,"cpu":"x")"));
  CHECK(has(two, "/groups/0/count"));
  CHECK(has(two, "/groups/0/cpu"));
  std::string many = R"({"groups":[)";
  for (int i = 0; i < 500; ++i)
    many += "{},";
  many.back() = ']';
  try {
    read_job_json(many + '}');
    FAIL("it was read");
  } catch (const spec_error& e) {
    CHECK(e.faults.size() == job_limits::faults);
  }
  CHECK(has(faults_of(std::string(500'000, '[')), "it is not JSON"));
  CHECK(has(faults_of(R"({"groups":[{"command":["a",")" + std::string(200'000, 'x') + R"("]}]})"),
            "at most 131072 bytes"));
}

TEST_CASE("a fault in a job file is told with its line") {
  CHECK(has(toml_faults("name = 'a'\n\n[[groups]]\ncommand = ['a']\ncuont = 3\n"),
            "job.toml:5: groups/0/cuont: is unknown; did you mean count?"));
  CHECK(has(toml_faults("[[groups]]\n"), "job.toml:1: groups/0: has no command"));
  CHECK(has(toml_faults("a = \n"), "job.toml:1: is not TOML"));
  CHECK(has(toml_faults("priority = 1979-05-27\n[[groups]]\ncommand = ['a']\n"), "job.toml:1:"));
}

TEST_CASE("amounts of bytes") {
  CHECK(parse_bytes("256MiB", std::int64_t{1} << 40) == 256 << 20);
  CHECK(parse_bytes("1.5KiB", 10'000) == 1536);
  CHECK(parse_bytes("500MB", std::int64_t{1} << 40) == 500'000'000);
  CHECK(parse_bytes("0", 1) == 0);
  CHECK(bytes_text(256 << 20) == "256MiB");
  CHECK(bytes_text(1000) == "1000B");
  for (const auto* bad : {"", "MiB", "-1", "1.5", "1e9", "nan", "inf", "1 MiB", "2B"})
    CHECK_THROWS_AS(parse_bytes(bad, 1), std::invalid_argument);
}

TEST_CASE("damaged jobs are refused or read, and nothing else") {
  const auto good = to_json(read_job_toml(file, "job.toml"));
  std::mt19937 random{1};
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    auto text = good;
    for (int n = 0; n < 3; ++n)
      text[random() % text.size()] = static_cast<char>(random());
    try {
      const auto spec = read_job_json(text);
      CHECK(read_job_json(to_json(spec)) == spec);
    } catch (const spec_error& e) {
      ++refused;
      CHECK_FALSE(e.faults.empty());
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("one equals sign means two only where no operator comes before it") {
  const auto read = [](const std::string& text) {
    const auto spec = read_job_json(with(R"("constraints":[")" + text + R"("])"));
    return to_string(spec.groups.at(0).constraints.at(0));
  };
  CHECK(read("zone=a") == "zone == a");
  CHECK(read("zone = a=b") == "zone == a=b");
  CHECK(read("flags=<none>") == "flags == <none>");
  CHECK(read("x in A=1,B") == "x in A=1,B");
  CHECK(read("url != a=b") == "url != a=b");
  CHECK(read("url != a==b") == "url != a==b");
  CHECK(has(faults_of(with(R"("constraints":["cores >= 3"])")), "which is no number"));
}
