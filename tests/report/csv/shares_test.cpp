#include "report/csv/shares.hpp"
#include "report/sample_results.hpp"
#include "report/summary/summary_json.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace troupe;
using std::chrono::seconds;

namespace {

/// The sample with two tenants: "rich", of group b, and "poor", of group a.
run_results with_tenants() {
  auto r = sample_results();
  r.tenants = {{"rich", 3, 0, 1, {1}}, {"poor", 1, 0.125, 0.25, {0}}};
  r.shares = {{seconds{0}, seconds{1}, 0, 0.5, 0.75},
              {seconds{0}, seconds{1}, 1, 0.125, 0.25},
              {seconds{1}, seconds{2}, 0, 0.25, 0.125},
              {seconds{1}, seconds{2}, 1, 0.25, 0.375}};
  return r;
}

} // namespace

TEST_CASE("a tenant's share over a stretch is the mean over time and the greatest at an end") {
  const auto r = with_tenants();
  const auto all = share_between(r, 1, instant::min(), instant::max());
  CHECK(all.mean == 0.1875);
  CHECK(all.max == 0.375);
  const auto first = share_between(r, 0, instant{0}, seconds{1});
  CHECK(first.mean == 0.5);
  CHECK(first.max == 0.75);
  CHECK(share_between(r, 0, seconds{5}, seconds{6}).mean == 0);
}

TEST_CASE("the shares over time have a row for each interval and tenant") {
  std::ostringstream out;
  write_shares(out, with_tenants());
  CHECK(out.str() == "from_s,to_s,tenant,share_mean,share_last\r\n"
                     "0,1,rich,0.5,0.75\r\n"
                     "0,1,poor,0.125,0.25\r\n"
                     "1,2,rich,0.25,0.125\r\n"
                     "1,2,poor,0.25,0.375\r\n");
}

TEST_CASE("the summary tells what each tenant was due and what it had") {
  CHECK_FALSE(summary_json(sample_results()).contains("tenants"));
  const auto tenants = summary_json(with_tenants())["tenants"];
  REQUIRE(tenants.size() == 2);
  const auto& poor = tenants[1];
  CHECK(poor["name"] == "poor");
  CHECK(poor["weight"] == 1.0);
  CHECK(poor["min"] == 0.125);
  CHECK(poor["max"] == 0.25);
  CHECK(poor["share"] == nlohmann::ordered_json{{"mean", 0.1875}, {"max", 0.375}});
  CHECK(poor["overshoot_max"] == 0.125);
  CHECK(tenants[0]["overshoot_max"] == 0.0);
  CHECK(poor["tasks"]["submitted"] == 14);
  CHECK(tenants[0]["tasks"]["submitted"] == 1);
  CHECK(poor["scheduling_delay_s"]["max"] == 2.0);
  REQUIRE(poor["phases"].size() == 2);
  CHECK(poor["phases"][1]["share"]["mean"] == 0.25);
}
