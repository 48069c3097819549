#include "settings/reading.hpp"
#include "settings/toml/print.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("by default nobody preempts or ages, and there is a single tenant") {
  const auto s = parsed(one_phase);
  CHECK_FALSE(s.groups[0].scheduler.preemption);
  CHECK(s.groups[0].scheduler.aging == 0s);
  CHECK(s.tenants.empty());
}

TEST_CASE("preemption, ageing and quotas are read and printed") {
  const auto s = parsed(std::string{R"(
[scheduler]
preemption = true
aging = "90s"
[[tenants]]
name = "a"
weight = 2.5
min = 0.25
max = 0.75
[[tenants]]
name = "b"
min = 0.75
)"} + one_phase);
  CHECK(s.groups[0].scheduler.preemption);
  CHECK(s.groups[0].scheduler.aging == 90s);
  REQUIRE(s.tenants.size() == 2);
  CHECK(s.tenants[0] == tenant_settings{"a", 2.5, 0.25, 0.75});
  CHECK(s.tenants[1] == tenant_settings{"b", 1, 0.75, 1});
  CHECK(parsed(to_toml(s)) == s);
}

TEST_CASE("quotas that nobody can meet are refused") {
  CHECK(refusal("[[tenants]]\nname = 'a'\nmin = 0.5\nmax = 0.4\n" + std::string{one_phase}) ==
        "f.toml:3: key 'tenants.0.min': value 0.5; expected at most tenants.0.max, 0.4");
  CHECK(refusal("[[tenants]]\nname = 'a'\nmin = 0.5\n[[tenants]]\nname = 'b'\nmin = 0.6\n" +
                std::string{one_phase}) ==
        "f.toml:6: key 'tenants.1.min': value 0.6; expected minimums that together are at most 1, "
        "and they are 1.1");
  CHECK(refusal("[[tenants]]\nmax = 0\n" + std::string{one_phase}) ==
        "f.toml:2: key 'tenants.0.max': value 0; expected a number, more than 0, at most 1");
  CHECK(refusal("[[tenants]]\nmin = 1.5\n" + std::string{one_phase}) ==
        "f.toml:2: key 'tenants.0.min': value 1.5; expected a number, 0 .. 1");
}

TEST_CASE("preemption is refused where schedulers are not told what runs") {
  const std::string preempts = "[scheduler]\npreemption = true\n";
  CHECK(refusal(preempts + "[sync]\nplan = 'none'\n" + std::string{one_phase}) ==
        "f.toml:2: key 'scheduler.preemption': value true; expected false, as sync.plan = \"none\" "
        "does not tell schedulers which tasks run on the machines");
  CHECK(refusal("architecture = 'two-level'\n" + preempts + std::string{one_phase}) ==
        "f.toml:3: key 'scheduler.preemption': value true; expected false, as sync.plan = "
        "\"offers\" does not tell schedulers which tasks run on the machines");
  CHECK_NOTHROW(parsed("architecture = 'monolithic'\n" + preempts + std::string{one_phase}));
}
