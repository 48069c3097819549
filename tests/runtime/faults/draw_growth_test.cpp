#include "runtime/cluster/build_catalog.hpp"
#include "runtime/faults/draw_growth.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

run_settings growing_config(std::uint64_t seed) {
  auto settings = read_settings(TROUPE_SOURCE_DIR "/configs/chaos/growing.toml");
  settings.seed = seed;
  return settings;
}

} // namespace

TEST_CASE("machines join and leave within the window, and all are there in the end") {
  std::size_t drained = 0;
  std::size_t lesser = 0;
  std::set<std::string> disks;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const auto settings = growing_config(seed);
    const auto machines = build_catalog(settings.cluster, seed, {});
    const auto rest = settings.failures.place_rest();
    const auto plan = draw_growth(settings);
    REQUIRE(plan.at.size() == 12);
    for (machine_id m = 0; m < plan.at.size(); ++m) {
      CAPTURE(m);
      const auto& stays = plan.at[m];
      const auto& whole = machines.machine(m).capacity;
      for (std::size_t i = 0; i + 1 < stays.size(); ++i) {
        const auto& now = stays[i];
        const auto& next = stays[i + 1];
        CHECK(now.from < instant{settings.chaos.window});
        CHECK(now.to > now.from);
        CHECK(now.to - now.from <= settings.chaos.longest + 1ms);
        CHECK(now.drained <= now.to - now.from + 1ms);
        CHECK(next.from > now.to);
        if (next.is.attributes != now.is.attributes)
          CHECK(next.from - now.to >= rest);
        CHECK_FALSE(now.is.capacity.is_zero());
        CHECK(whole.fits(now.is.capacity));
        drained += now.drained > 0ms;
        lesser += now.is.capacity != whole;
        disks.insert(now.is.attributes.at("disk"));
      }
      const auto& last = stays.back();
      CHECK(last.to == instant::max());
      CHECK(last.is.capacity == whole);
      CHECK(last.is.attributes == machines.attributes_of(m));
    }
  }
  CHECK(drained > 50);
  CHECK(lesser > 100);
  CHECK(disks == std::set<std::string>{"hdd", "ssd"});
}

TEST_CASE("a seed has the same joins and leaves each time") {
  const auto times = [](std::uint64_t seed) {
    std::vector<instant> all;
    for (const auto& stays : draw_growth(growing_config(seed)).at)
      for (const auto& s : stays)
        all.push_back(s.from);
    return all;
  };
  CHECK(times(1) == times(1));
  CHECK(times(1) != times(2));
}
