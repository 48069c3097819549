#include "model/view.hpp"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>
#include <vector>

// What a scheduler's view costs: sampling and charging, refreshing, and looking for the best
// partition, with 100,000 machines of two slots in 100 partitions.

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

} // namespace

} // namespace troupe::bench

int main(int argc, char** argv) {
  // Our programs take --out DIR; Google Benchmark wants a file and its format.
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
