#include "jobs/service/work_book.hpp"
#include "jobs/service_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a chain of many jobs that wait for each other is cancelled with the first one") {
  constexpr std::uint64_t many = 50'000;
  const service_time now{instant{1}, 1};
  work_book book{{}, now};
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < many; ++i) {
    auto spec = read_job_json(simple_job());
    if (last != 0)
      spec.after = {last};
    last = book.submit(std::move(spec), "", {}, now);
  }
  CHECK(book.cancel(last - many + 1, now));
  CHECK(book.take_ended().size() == many);
  CHECK(book.live_tasks() == 0);
  CHECK(book.find(last)->row.reason == "job " + std::to_string(last - 1) + " did not succeed");
}

TEST_CASE("jobs count for their tenants, and those of others for the first one") {
  const service_time now{instant{1}, 1};
  work_book book{{}, now, {"default", "ci"}};
  for (const auto* tenant : {"ci", "default", "unknown"}) {
    auto spec = read_job_json(simple_job());
    spec.tenant = tenant;
    book.submit(std::move(spec), "", {}, now);
  }
  const auto made = book.take_orders().made;
  REQUIRE(made.size() == 3);
  CHECK(made[0].tenant == 1);
  CHECK(made[1].tenant == 0);
  CHECK(made[2].tenant == 0);
}
