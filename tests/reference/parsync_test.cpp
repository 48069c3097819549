#include "reference/bare_parsync.hpp"
#include "runtime/running.hpp"

#include <algorithm>
#include <cmath>

using namespace troupe;
using namespace troupe::test;

// E1 and E2 of ParSync (Feng et al., USENIX ATC 2021) at 1/20 of their scale, held against a model
// that shares no code with Troupe.

namespace {

struct figures {
  double placed = 0;
  double conflicts = 0;
  double delay = 0; ///< s
  double quality = 0;
};

/// Fails the test if two figures differ by more than `share` and by more than `least`.
void check_near(const char* what, double troupe, double model, double share, double least) {
  CAPTURE(what);
  CAPTURE(troupe);
  CAPTURE(model);
  CHECK(std::abs(troupe - model) <= std::max(share * model, least));
}

/// Runs an experiment at a twentieth of its scale. A decision on a whole batch of ten would take
/// 100 ms at that speed, hence batches and jobs of one task.
nlohmann::ordered_json troupe_phases(const std::string& config, std::vector<std::string> set) {
  for (const char* more : {"cluster.machines=5000", "scheduler.t_task=10ms", "scheduler.batch=1",
                           "workload.tasks_per_job.value=1"})
    set.emplace_back(more);
  const auto results = run_config(config, set);
  check_passed(results);
  return summary_of(results)["phases"];
}

/// Holds each phase of each group that Troupe tells of against the model's; where it tells of one
/// group, that is all of the model's. Delays are those of placed tasks, as the model tells no
/// others. The scores of the two are drawn differently, which alone moves their mean by 2 %.
void check_against(const nlohmann::ordered_json& troupe,
                   const std::vector<std::vector<bare::figures>>& model, double phase_seconds) {
  const auto groups = troupe.size() / model.size();
  for (std::size_t phase = 0; phase < model.size(); ++phase)
    for (std::size_t g = 0; g < groups; ++g) {
      figures m;
      for (std::size_t k = g; k < model[phase].size(); k += groups) {
        const auto& part = model[phase][k];
        const auto placed = static_cast<double>(part.placed);
        m.placed += placed;
        m.conflicts += static_cast<double>(part.conflicts);
        m.delay += part.delay * placed;
        m.quality += part.quality * placed;
      }
      const auto& t = troupe[phase * groups + g];
      CAPTURE(phase);
      CAPTURE(g);
      check_near("placed", t["tasks"]["placed"], m.placed, 0.02, 0);
      check_near("conflicts", t["conflicts"], m.conflicts, 0.15, 60);
      // Where the queue grows, a difference of 1 % in what is placed per second adds up: to 1 % of
      // the time since the beginning.
      const auto delay = m.delay / m.placed;
      const auto so_far = static_cast<double>(phase + 1) * phase_seconds;
      check_near("delay", t["scheduling_delay_s"]["placed"]["mean"], delay, 0.12,
                 delay > 0.5 ? 0.01 * so_far : 0.01);
      check_near("quality", t["quality"]["mean"], m.quality / m.placed, 0.05, 0);
    }
}

} // namespace

TEST_CASE("E1 is as a bare model of ParSync says") {
  bare::setup setup;
  setup.phase = 30'000;
  setup.load = {{2.0 / 3, 2.0 / 3}, {1, 2.0 / 3}, {1, 1}};
  using enum bare::strategy;
  for (const auto& [name, how] :
       {std::pair{"quality-first", quality_first}, std::pair{"latency-first", latency_first},
        std::pair{"adaptive", adaptive}}) {
    CAPTURE(name);
    setup.how = how;
    check_against(troupe_phases("e1/" + std::string{name} + ".toml", {}),
                  bare::model{setup, 1}.run(), static_cast<double>(setup.phase) / 1000);
  }
}

TEST_CASE("E2 is as a bare model of ParSync and StateSync says") {
  std::vector<std::string> shorter{"duration=100s"};
  for (int phase = 0; phase < 5; ++phase)
    shorter.push_back("workload.phases." + std::to_string(phase) + ".length=20s");
  bare::setup setup;
  setup.load = {{0.5, 0.5}, {0.8, 0.8}, {0.95, 0.95}, {0.8, 0.8}, {0.5, 0.5}};
  using enum bare::strategy;
  for (const auto& [name, how] :
       {std::pair{"quality-first", quality_first}, std::pair{"latency-first", latency_first},
        std::pair{"adaptive", adaptive}, std::pair{"statesync", quality_first}}) {
    CAPTURE(name);
    setup.how = how;
    setup.full_sync = std::string{name} == "statesync";
    check_against(troupe_phases("e2/" + std::string{name} + ".toml", shorter),
                  bare::model{setup, 1}.run(), static_cast<double>(setup.phase) / 1000);
  }
}
