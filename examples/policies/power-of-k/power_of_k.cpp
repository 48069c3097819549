// The power of k choices (Mitzenmacher, 2001): of k machines drawn at random, the roomiest.
#include <policies/plugin.hpp>

namespace {

class power_of_k final : public troupe::placement_policy {
public:
  explicit power_of_k(int k) : k_(k) {}

  std::optional<troupe::machine_id> pick(const troupe::view& seen, const troupe::task_request& task,
                                         troupe::decision_context& context) override {
    std::optional<troupe::machine_id> best;
    for (int i = 0; i < k_; ++i) {
      const auto drawn = seen.sample_evenly(task, context.random);
      if (drawn && (!best || room(seen, *drawn) > room(seen, *best)))
        best = drawn;
    }
    return best;
  }

private:
  static int room(const troupe::view& seen, troupe::machine_id machine) {
    return troupe::times_fitting(seen.free(machine), seen.machines().unit());
  }

  int k_;
};

} // namespace

TROUPE_POLICY_PLUGIN({
  .name = "power-of-k",
  .summary = "of k machines drawn at random, the one with the most room",
  .settings = {{.name = "k", .meaning = "machines drawn", .standard = 2, .min = 1, .max = 100}},
  .make = [](const troupe::setting_values& settings) -> std::unique_ptr<troupe::placement_policy> {
    return std::make_unique<power_of_k>(settings.get<int>("k"));
  },
});
