#include "runtime/running.hpp"

#include <cmath>

using namespace troupe;
using namespace troupe::test;

// With M sync groups per gap G the mean age of a view over its partitions stays within (M-1)G/2M ..
// (M+1)G/2M, and is G/2 over time (Feng et al., USENIX ATC 2021, for M = 1 and 2; the general form
// follows from it).
TEST_CASE("the views' mean age stays within its band, for every number of sync groups") {
  constexpr double gap = 1;
  for (const int groups : {1, 2, 4, 5, 10, 20}) {
    const auto results =
      run_config("staleness/settings.toml", {"sync.groups=" + std::to_string(groups)});
    const auto age = summary_of(results)["staleness_s"];
    const auto mean = age["mean"].get<double>();
    const auto least = age["min"].get<double>();
    const auto most = age["max"].get<double>();
    const double m = groups;
    const double low = (m - 1) * gap / (2 * m);
    const double high = (m + 1) * gap / (2 * m);
    MESSAGE("M = " << groups << ": mean " << mean << " s, " << least << " .. " << most
                   << " s, band " << low << " .. " << high << " s");
    CHECK(std::abs(mean - gap / 2) < 1e-3);
    CHECK(least >= low - 1e-6);
    CHECK(most <= high + 1e-6);
    // It uses the whole band.
    CHECK(least <= low + 1e-6);
    CHECK(most >= high - 1e-6);
    check_passed(results);
  }
}
