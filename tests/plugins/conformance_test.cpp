#include "plugins/libraries.hpp"
#include "policies/conformance.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace troupe;
using namespace troupe::test;

namespace {

conformance_report check(const std::string& policy, const setting_values& values = {}) {
  double ticks = 0;
  return check_conformance([&] { return make_policy(policy, values); },
                           [&] { return ticks += 1e-6; });
}

/// The names of the checks that failed.
std::vector<std::string> failed(const conformance_report& report) {
  std::vector<std::string> names;
  for (const auto& c : report.checks)
    if (!c.passed)
      names.push_back(c.name);
  return names;
}

} // namespace

TEST_CASE("every built-in policy conforms and overlooks no room") {
  for (const auto& policy : builtin_policies()) {
    CAPTURE(policy.name);
    const auto report = check(std::string(policy.name));
    CHECK(failed(report).empty());
    CHECK(report.overlooked == 0);
    CHECK(report.decisions > 1'000);
    CHECK(report.mean_ns == doctest::Approx(1'000));
  }
}

TEST_CASE("the conformance check finds each kind of mistake") {
  with_faulty({});
  load_plugin(library("faulty_policy"));
  using names = std::vector<std::string>;
  CHECK(failed(check("faulty")).empty());
  CHECK(failed(check("faulty", {{"fault", "throws"}})) == names{"throws nothing"});
  CHECK(failed(check("faulty", {{"fault", "throws-number"}})) == names{"throws nothing"});
  CHECK(failed(check("faulty", {{"fault", "nan"}})) == names{"throws nothing"});
  CHECK(failed(check("faulty", {{"fault", "learn"}})) == names{"throws nothing"});
  CHECK(failed(check("faulty", {{"fault", "make"}})) == names{"throws nothing"});
  CHECK(failed(check("faulty", {{"fault", "unknown-machine"}})) ==
        names{"picks machines that exist"});
  CHECK(failed(check("faulty", {{"fault", "misfit"}})) ==
        names{"picks machines with room that pass the filter"});
  CHECK(failed(check("faulty", {{"fault", "forbidden"}})) ==
        names{"picks machines with room that pass the filter"});
  CHECK(failed(check("faulty", {{"fault", "global"}})) ==
        names{"makes equal picks from equal views and seeds"});
  CHECK(check("faulty", {{"fault", "undecided"}}).overlooked > 100);
}
