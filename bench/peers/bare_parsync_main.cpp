#include "peers/bare_parsync.hpp"

#include <CLI/CLI.hpp>

#include <map>
#include <string>

int main(int argc, char** argv) {
  using namespace troupe::peers;
  parsync_setup setup;
  double duration = 300;
  const std::map<std::string, bare_policy> policies{{"latency-first", bare_policy::latency_first},
                                                    {"quality-first", bare_policy::quality_first},
                                                    {"adaptive", bare_policy::adaptive}};
  CLI::App app{"A bare model of E2: ParSync or StateSync on arrays, in one thread"};
  app.add_option("--policy", setup.policy, "Policy of the schedulers")
    ->transform(CLI::CheckedTransformer(policies));
  app.add_flag("--full-sync", setup.full_sync, "StateSync: all partitions once per sync gap");
  app.add_option("--duration", duration, "Length of the run in s")->capture_default_str();
  app.add_option("--seed", setup.seed, "Seed")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  setup.end = static_cast<std::uint32_t>(duration * parsync_setup::steps_per_second);
  print(bare_parsync{setup}.run());
}
