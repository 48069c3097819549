// A policy that works until it is told to make a mistake.
#include "policies/plugin.hpp"
#include "policies/scoring_policy.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace {

using namespace troupe;
using namespace std::chrono_literals;

class faulty final : public scoring_policy {
public:
  faulty(std::string fault, duration after) : fault_(std::move(fault)), after_(after) {}

  double score(const view&, const task_request&, machine_id m) override {
    return late_ && fault_ == "nan" ? std::numeric_limits<double>::quiet_NaN() : 1.0 / (1 + m);
  }

  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override {
    late_ = context.now >= after_;
    if (late_ && fault_ == "loops") {
      std::fputs("looping\n", stderr);
      for (volatile bool for_ever = true; for_ever;) {
      }
    }
    if (late_ && fault_ == "throws")
      throw std::runtime_error("lost the map");
    if (late_ && fault_ == "exits")
      std::exit(0);
    if (late_ && fault_ == "crashes")
      std::raise(SIGSEGV);
    if (late_ && fault_ == "throws-number")
      throw 42;
    if (late_ && fault_ == "unknown-machine")
      return seen.machines().machines();
    if (late_ && fault_ == "misfit")
      for (machine_id m = 0; m < seen.machines().machines(); ++m)
        if (!seen.fits(m, task.demand))
          return m;
    if (late_ && fault_ == "forbidden")
      for (machine_id m = 0; m < seen.machines().machines(); ++m)
        if (seen.fits(m, task.demand) && !task.filter.admits(seen.machines(), m))
          return m;
    if (late_ && fault_ == "undecided" && calls_++ % 2 == 0)
      return std::nullopt;
    if (fault_ == "global") {
      static machine_id shared = 0; // equal calls have other results
      shared = (shared + 1) % seen.machines().machines();
      if (seen.fits(shared, task.demand) && task.filter.admits(seen.machines(), shared))
        return shared;
    }
    return scoring_policy::pick(seen, task, context);
  }

  void learn(std::span<const placement_outcome>) override {
    if (late_ && fault_ == "learn")
      throw std::runtime_error("does not want to know");
  }

private:
  std::string fault_;
  duration after_;
  bool late_ = false;
  unsigned calls_ = 0;
};

} // namespace

TROUPE_POLICY_PLUGIN({
  .name = "faulty",
  .summary = "the machine with the lowest number that has room, until it makes a mistake",
  .settings = {{.name = "fault",
                .meaning = "what it does wrong",
                .standard = "none",
                .choices = {"none", "loops", "throws", "throws-number", "unknown-machine", "misfit",
                            "forbidden", "nan", "learn", "make", "nothing", "undecided", "global",
                            "exits", "crashes"}},
               {.name = "after", .meaning = "when it begins to", .standard = 0s, .min = 0},
               {.name = "level", .meaning = "does nothing", .standard = 0.5, .min = 0, .max = 1},
               {.name = "count", .meaning = "does nothing", .standard = 3},
               {.name = "on", .meaning = "does nothing", .standard = true}},
  .make = [](const setting_values& s) -> std::unique_ptr<placement_policy> {
    const auto fault = s.get<std::string>("fault");
    if (fault == "make")
      throw std::invalid_argument("there is no such thing as a fault");
    if (fault == "nothing")
      return nullptr;
    return std::make_unique<faulty>(fault, s.get<duration>("after"));
  },
});
