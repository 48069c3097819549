#include "jobs/service/jobs/queued_job.hpp"
#include "jobs/service/work_book.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

/// Two machines of two cores.
const std::vector<machine_description>& two_machines() {
  static const auto machines = [] {
    machine_description m;
    m.capacity[resource::cpu] = 2000;
    m.capacity[resource::memory] = 1024;
    return std::vector<machine_description>(2, m);
  }();
  return machines;
}

/// Why a job of such groups is queued.
std::string why_groups(const std::string& groups,
                       const std::vector<machine_description>* machines = &two_machines(),
                       const tenant_limit* limit = nullptr) {
  work_book book{{}, {instant{1}, 1}};
  const auto id =
    book.submit(read_job_json(R"({"groups":[)" + groups + "]}"), "", {}, {instant{1}, 1});
  return why_queued(queued_job_of(*book.find(id)), machines, limit);
}

} // namespace

TEST_CASE("a queued job waits for machines that hold it, or for its turn") {
  const std::string group = R"({"name":"g","command":["a"],"cpu":)";
  CHECK(why_groups(group + "3}") == "no machine has 3 cores");
  CHECK(why_groups(group + R"(1,"count":5,"gang":true})") ==
        "all machines together hold 4 of its 5 tasks");
  CHECK(why_groups(group + R"(1,"count":5})") == "");
  CHECK(why_groups(group + "3}", nullptr) == "");
  const std::vector<machine_description> none;
  CHECK(why_groups(group + "1}", &none) == "no machine has joined");
}

TEST_CASE("of several groups, the first that no machine holds is the reason") {
  const std::string small = R"({"name":"small","command":["a"],"cpu":1})";
  const std::string large = R"({"name":"large","command":["a"],"cpu":3})";
  const std::string later = R"({"name":"later","command":["a"],"cpu":4,"after":["small"]})";
  CHECK(why_groups(small + "," + large) == "group large: no machine has 3 cores");
  CHECK(why_groups(small + "," + later) == "");
}

TEST_CASE("a queued job waits for the jobs that have not succeeded yet") {
  const service_time now{instant{1}, 1};
  work_book book{{}, now};
  auto spec = read_job_json(R"({"groups":[{"command":["a"],"cpu":3}]})");
  const auto first = book.submit(spec, "", {}, now);
  spec.after = {first};
  const auto second = book.submit(spec, "", {}, now);
  spec.after = {first, second, 99};
  const auto third = book.submit(spec, "", {}, now);
  const auto why = [&](std::uint64_t id) {
    return why_queued(queued_job_of(*book.find(id)), &two_machines(), nullptr);
  };
  CHECK(why(first) == "no machine has 3 cores");
  CHECK(why(second) == "waits for job 1");
  CHECK(why(third) == "waits for jobs 1, 2"); // 99 counts as succeeded
}

TEST_CASE("a queued job of a tenant waits for room in the tenant's maximum") {
  tenant_limit limit{"ci", 0.5, {}}; // 2 of 4 cores
  const auto why = [&](const std::string& groups) {
    return why_groups(groups, &two_machines(), &limit);
  };
  const std::string group = R"({"command":["a"],"cpu":)";
  CHECK(why(group + "2}") == "");
  CHECK(why(group + R"(1,"count":3})") == "");
  CHECK(why(group + R"(1,"count":3,"gang":true})") ==
        "tenant ci may use at most 0.5 of the machines, and the tasks ask for 0.75");
  limit.used.amount[static_cast<std::size_t>(resource::cpu)] = 1500;
  CHECK(why(group + "0.5}") == "");
  CHECK(why(group + "1}") == "tenant ci may use at most 0.5 of the machines, and uses 0.375");
  CHECK(why(R"({"name":"a","command":["a"],"cpu":1},{"name":"b","command":["a"],"cpu":0.5})") ==
        "");
  limit.max = 0.25;
  CHECK(why(group + "2}") ==
        "tenant ci may use at most 0.25 of the machines, and a task asks for 0.5");
  limit.max = 1;
  CHECK(why(group + "2}") == "");
}
