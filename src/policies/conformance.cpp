#include "policies/conformance.hpp"

#include "model/base/distribution.hpp"
#include "policies/placement_check.hpp"
#include "policies/policy_trial.hpp"

#include <algorithm>
#include <exception>

namespace troupe {

namespace {

/// A cluster and the tasks that are to be placed on it, more than it has room for.
struct scene {
  std::string name;
  catalog machines;
  std::vector<task_request> tasks;
  std::vector<partition_id> hidden{};
};

std::vector<machine_info> scored_machines(std::uint32_t n, const resources& capacity,
                                          std::uint32_t kinds, random_stream& random) {
  std::vector<machine_info> all;
  for (std::uint32_t i = 0; i < n; ++i)
    all.push_back({capacity, 0.25 + random.unit(), i % kinds});
  return all;
}

/// Tasks of several sizes, in an order drawn at random.
std::vector<task_request> mixed_tasks(std::uint32_t n, random_stream& random) {
  std::vector<task_request> tasks;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto size = static_cast<std::int32_t>(1 + random.below(4));
    tasks.push_back({{1 + i / 8, i % 8}, cpu_and_memory(500 * size, 256 * (5 - size))});
  }
  return tasks;
}

std::vector<scene> make_scenes(std::uint64_t seed, const kind_set& of_two, machine_set& away) {
  auto random = random_stream::derive(seed, "conformance", 0);
  const std::vector<machine_kind> one{{"default", {}}};
  const std::vector<machine_kind> two{{"a", {}}, {"b", {}}};
  const auto slot = resources::of_slots(1);
  const auto unit = cpu_and_memory(500, 256);
  const auto box = cpu_and_memory(4000, 4096);
  std::vector<scene> all;
  all.push_back({"one machine", slot_machines(1, 3), equal_tasks(5, slot)});
  all.push_back({"slots",
                 {scored_machines(200, resources::of_slots(2), 1, random), one, 20, slot},
                 equal_tasks(450, slot)});
  all.push_back({"resource vectors",
                 {scored_machines(120, box, 1, random), one, 6, unit},
                 mixed_tasks(700, random)});
  scene picky{
    "constraints", {scored_machines(80, box, 2, random), two, 4, unit}, mixed_tasks(400, random)};
  for (machine_id m = 0; m < 20; ++m)
    away.insert(3 * m);
  for (std::size_t i = 0; i < picky.tasks.size(); ++i) {
    if (i % 2 == 0)
      picky.tasks[i].filter.kinds = &of_two;
    if (i % 3 == 0)
      picky.tasks[i].filter.away = &away;
  }
  all.push_back(std::move(picky));
  all.push_back({"hidden partitions",
                 {scored_machines(60, resources::of_slots(2), 1, random), one, 6, slot},
                 equal_tasks(130, slot),
                 {0, 2, 3}});
  all.push_back({"tasks larger than any machine", slot_machines(30, 2, 3),
                 equal_tasks(5, resources::of_slots(3))});
  return all;
}

/// Goes through the scenes and keeps count.
class examination {
public:
  examination(std::function<std::unique_ptr<placement_policy>()> make,
              std::function<double()> seconds)
    : make_(std::move(make)), seconds_(std::move(seconds)) {}

  void run(const scene& s, std::uint64_t seed) {
    const auto first = place(s, seed, true);
    const auto second = place(s, seed, false);
    ++scenes_;
    if (first != second && unequal_.empty()) {
      const auto differs = std::ranges::mismatch(first, second);
      unequal_ = s.name + ": decision " + std::to_string(differs.in1 - first.begin() + 1) +
                 " differs between two objects with equal inputs";
    }
  }

  conformance_report report() const {
    conformance_report r;
    const auto decisions = std::to_string(decisions_) + " decisions";
    const auto check = [&](const char* name, const std::string& fault) {
      r.checks.push_back({name, fault.empty(), fault.empty() ? decisions : fault});
    };
    check("throws nothing", thrown_);
    check("picks machines that exist", unknown_);
    check("picks machines with room that pass the filter", misfit_);
    check("fills no machine beyond its capacity", overfull_);
    check("makes equal picks from equal views and seeds", unequal_);
    r.decisions = decisions_;
    r.overlooked = overlooked_;
    r.mean_ns = times_.mean() * 1e9;
    r.p99_ns = times_.quantile(0.99) * 1e9;
    return r;
  }

private:
  using picks = std::vector<std::optional<machine_id>>;

  /// Places the tasks of a scene in batches, tells the outcomes, and books what was picked apart
  /// from the view.
  picks place(const scene& s, std::uint64_t seed, bool measured) {
    picks all;
    try {
      const auto policy = make_();
      view seen{s.machines, instant{0}};
      for (const auto p : s.hidden)
        seen.hide(p, true);
      std::vector<resources> free;
      for (machine_id m = 0; m < s.machines.machines(); ++m)
        free.push_back(s.machines.machine(m).capacity);
      auto random = random_stream::derive(seed, "scheduler", 0);
      std::vector<placement_outcome> outcomes;
      for (std::size_t i = 0; i < s.tasks.size(); ++i) {
        decision_context context{std::chrono::milliseconds{i}, random};
        const auto& task = s.tasks[i];
        const auto before = seconds_();
        const auto picked = policy->pick(seen, task, context);
        const auto after = seconds_();
        all.push_back(picked);
        if (measured)
          note(s, seen, task, picked, after - before);
        if (picked && problem_with(seen, task, *picked).empty()) {
          book(s, free, seen, task, *picked, outcomes);
        }
        if (outcomes.size() == 10)
          tell(*policy, outcomes);
      }
    } catch (const std::exception& e) {
      keep(thrown_, s, e.what());
    } catch (...) {
      keep(thrown_, s, "an object that is not a std::exception");
    }
    return all;
  }

  static void tell(placement_policy& policy, std::vector<placement_outcome>& outcomes) {
    policy.learn(outcomes);
    outcomes.clear();
  }

  void book(const scene& s, std::vector<resources>& free, view& seen, const task_request& task,
            machine_id m, std::vector<placement_outcome>& outcomes) {
    seen.take(m, task.demand);
    free[m] -= task.demand;
    if (free[m].any_negative())
      keep(overfull_, s, "machine " + std::to_string(m) + " holds more than its capacity");
    const bool refused = outcomes.size() % 4 == 3;
    outcomes.push_back(
      {task.task, m, !refused, conflict_cause::taken, std::chrono::milliseconds{outcomes.size()}});
  }

  void note(const scene& s, const view& seen, const task_request& task,
            const std::optional<machine_id>& picked, double took) {
    ++decisions_;
    times_.add(std::max(took, 0.0));
    if (!picked) {
      overlooked_ += has_room(seen, task);
      return;
    }
    if (*picked >= s.machines.machines())
      keep(unknown_, s, problem_with(seen, task, *picked));
    else if (const auto problem = problem_with(seen, task, *picked); !problem.empty())
      keep(misfit_, s, problem);
  }

  static bool has_room(const view& seen, const task_request& task) {
    for (machine_id m = 0; m < seen.machines().machines(); ++m)
      if (seen.fits(m, task.demand) && task.filter.admits(seen.machines(), m))
        return true;
    return false;
  }

  static void keep(std::string& first, const scene& s, const std::string& what) {
    if (first.empty())
      first = s.name + ": " + what;
  }

  std::function<std::unique_ptr<placement_policy>()> make_;
  std::function<double()> seconds_;
  std::uint64_t scenes_ = 0;
  std::uint64_t decisions_ = 0;
  std::uint64_t overlooked_ = 0;
  distribution times_;
  std::string thrown_;
  std::string unknown_;
  std::string misfit_;
  std::string overfull_;
  std::string unequal_;
};

} // namespace

bool conformance_report::passed() const {
  return std::ranges::all_of(checks, &conformance_check::passed);
}

conformance_report check_conformance(const std::function<std::unique_ptr<placement_policy>()>& make,
                                     const std::function<double()>& seconds, std::uint64_t seed) {
  kind_set second_kind(2);
  second_kind.add(1);
  machine_set away;
  examination of(make, seconds);
  for (const auto& s : make_scenes(seed, second_kind, away))
    for (std::uint64_t i = 0; i < 3; ++i)
      of.run(s, seed + i);
  return of.report();
}

} // namespace troupe
