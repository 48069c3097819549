#include "model/base/fit_scan.hpp"
#include "model/view/view.hpp"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>
#include <vector>

// Measures a scheduler's view: sampling and charging, refreshing, and scanning all machines for the
// best fit, with 100,000 machines of two slots in 100 partitions.

namespace troupe::bench {

namespace {

const catalog& machines() {
  static const catalog all = [] {
    random_stream random{1};
    std::vector<machine_info> list;
    for (int i = 0; i < 100'000; ++i)
      list.push_back({resources::of_slots(2), 0.5 + random.unit(), 0});
    return catalog{std::move(list), {{"all", {}}}, 100, resources::of_slots(1)};
  }();
  return all;
}

partition_snapshot idle(partition_id p) {
  const free_table table{machines(), p};
  return {p, instant{0}, table.cells(), {}};
}

void sample_by_score_and_take(benchmark::State& state) {
  view v{machines(), instant{0}};
  random_stream random{2};
  const auto demand = resources::of_slots(1);
  partition_id p = 0;
  for (auto _ : state) {
    if (const auto m = v.sample_by_score(p, demand, random))
      v.take(*m, demand);
    if (v.units(p) < 200) {
      v.apply(idle(p), 1);
      p = (p + 1) % v.partitions();
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(sample_by_score_and_take);

void sample_evenly_and_take(benchmark::State& state) {
  view v{machines(), instant{0}};
  random_stream random{2};
  const auto demand = resources::of_slots(1);
  for (auto _ : state) {
    const auto m = v.sample_evenly(demand, random);
    v.take(*m, demand);
    if (v.units() < 20'000)
      v = view{machines(), instant{0}};
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(sample_evenly_and_take);

void refresh_a_partition(benchmark::State& state) {
  view v{machines(), instant{0}};
  std::vector<partition_snapshot> snapshots;
  for (partition_id p = 0; p < machines().partitions(); ++p)
    snapshots.push_back(idle(p));
  std::uint64_t round = 0;
  for (auto _ : state) {
    auto copy = snapshots[round % snapshots.size()];
    v.apply(std::move(copy), ++round);
  }
  state.SetItemsProcessed(state.iterations() * machines().members(0).size());
}
BENCHMARK(refresh_a_partition);

/// Machines of two kinds with three kinds of resource, some of it in use.
const view& used_machines() {
  static const catalog all = [] {
    random_stream random{1};
    std::vector<machine_info> list;
    for (std::uint32_t i = 0; i < 100'000; ++i)
      list.push_back(
        {resources{{i % 2 == 0 ? 32'000 : 64'000, 131'072, 4'000, 0}}, 0.5 + random.unit(), i % 2});
    return catalog{std::move(list), {{"a", {}}, {"b", {}}}, 100, resources{{1'000, 4'096, 0, 0}}};
  }();
  static const view seen = [] {
    view v{all, instant{0}};
    random_stream random{2};
    for (machine_id m = 0; m < all.machines(); ++m)
      v.take(m, resources{{static_cast<std::int32_t>(random.below(32'000)),
                           static_cast<std::int32_t>(random.below(131'072)), 0, 0}});
    return v;
  }();
  return seen;
}

void scan_for_the_best_fit(benchmark::State& state) {
  const auto& seen = used_machines();
  const task_request task{{}, resources{{4'000, 16'384, 0, 0}}};
  const auto limit = static_cast<std::uint32_t>(state.range(0));
  random_stream random{3};
  for (auto _ : state)
    benchmark::DoNotOptimize(scan_for_fit(seen, task, fit_order::tightest, limit, random));
  state.SetItemsProcessed(state.iterations() * (limit == 0 ? 100'000 : limit));
}
BENCHMARK(scan_for_the_best_fit)->Arg(0)->Arg(1'000);

} // namespace

} // namespace troupe::bench

int main(int argc, char** argv) {
  // The programs of this folder take --out DIR; Google Benchmark expects a file and its format.
  std::vector<std::string> words{argv, argv + argc};
  for (std::size_t i = 1; i + 1 < words.size(); ++i)
    if (words[i] == "--out") {
      const auto dir = words[i + 1];
      std::filesystem::create_directories(dir);
      words[i] = "--benchmark_out=" + dir + "/view.json";
      words[i + 1] = "--benchmark_out_format=json";
    }
  std::vector<char*> pointers;
  for (auto& w : words)
    pointers.push_back(w.data());
  auto count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data()))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
