#include "model/cluster/catalog.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Three kinds in shares of 5 : 3 : 2, interleaved, with lognormal scores.
catalog mixed_catalog(std::uint32_t machines, std::uint32_t partitions) {
  const auto scores = lognormal_scores(machines);
  std::vector<machine_info> all;
  for (std::uint32_t i = 0; i < machines; ++i) {
    const std::uint32_t kind = i % 10 < 5 ? 0 : i % 10 < 8 ? 1 : 2;
    const auto size = static_cast<std::int32_t>(1 + kind);
    all.push_back({cpu_and_memory(4000 * size, 8192 * size), scores[i], kind});
  }
  return {std::move(all),
          {{"small", {}}, {"medium", {}}, {"large", {}}},
          partitions,
          cpu_and_memory(1000, 2048)};
}

double mean_score(const catalog& c, partition_id p) {
  double sum = 0;
  for (auto m : c.members(p))
    sum += c.machine(m).score;
  return sum / static_cast<double>(c.members(p).size());
}

/// How far the partitions' mean scores are from that of the cluster, as shares of it.
struct deviation {
  double greatest = 0;
  double rms = 0;
};

deviation deviation_of(const catalog& c) {
  double sum = 0;
  for (machine_id m = 0; m < c.machines(); ++m)
    sum += c.machine(m).score;
  const double overall = sum / c.machines();
  deviation d;
  for (partition_id p = 0; p < c.partitions(); ++p) {
    const double distance = std::abs(mean_score(c, p) / overall - 1);
    d.greatest = std::max(d.greatest, distance);
    d.rms += distance * distance;
  }
  d.rms = std::sqrt(d.rms / c.partitions());
  return d;
}

/// What dealing machines out as they come gives.
double rms_of_blind_dealing(const std::vector<double>& scores, std::uint32_t partitions) {
  std::vector<double> sums(partitions);
  for (std::size_t i = 0; i < scores.size(); ++i)
    sums[i % partitions] += scores[i];
  const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
  double squares = 0;
  for (double s : sums)
    squares += std::pow(s * partitions / total - 1, 2);
  return std::sqrt(squares / partitions);
}

} // namespace

TEST_CASE("every machine is in one partition and sizes differ by one at most") {
  for (auto [machines, partitions] :
       {std::pair{1000U, 100U}, {1003U, 100U}, {100U, 7U}, {7U, 7U}, {5U, 1U}}) {
    CAPTURE(machines);
    CAPTURE(partitions);
    const auto c = mixed_catalog(machines, partitions);
    std::vector<int> found(machines);
    std::size_t least = machines;
    std::size_t most = 0;
    for (partition_id p = 0; p < c.partitions(); ++p) {
      const auto members = c.members(p);
      least = std::min<std::size_t>(least, members.size());
      most = std::max<std::size_t>(most, members.size());
      for (std::uint32_t i = 0; i < members.size(); ++i) {
        ++found.at(members[i]);
        CHECK(c.place_of(members[i]).partition == p);
        CHECK(c.place_of(members[i]).index == i);
      }
    }
    CHECK(std::all_of(found.begin(), found.end(), [](int n) { return n == 1; }));
    CHECK(most - least <= 1);
    CHECK(least >= 1);
  }
}

TEST_CASE("every partition gets the same mix of kinds") {
  const auto c = mixed_catalog(1000, 30);
  const double shares[] = {500.0 / 30, 300.0 / 30, 200.0 / 30};
  for (partition_id p = 0; p < c.partitions(); ++p) {
    int counts[3] = {};
    for (auto m : c.members(p))
      ++counts[c.machine(m).kind];
    for (int kind = 0; kind < 3; ++kind)
      CHECK(std::abs(counts[kind] - shares[kind]) < 2);
  }
}

TEST_CASE("every partition of a large cluster has the same mean score, within 0.3 %") {
  // E2: 100,000 machines in 100 partitions, scores exp(N(0, 0.5^2)).
  const auto scores = lognormal_scores(100'000);
  const auto d = deviation_of(slot_catalog(scores, 100, 2));
  CHECK(d.greatest < 0.003);
  CHECK(d.rms < 0.0006);
  CHECK(d.rms < rms_of_blind_dealing(scores, 100) / 25);
}

TEST_CASE("the smaller the partitions, the more the best machines of all stand out") {
  const auto fifty_each = deviation_of(slot_catalog(lognormal_scores(1000), 20, 2));
  CHECK(fifty_each.greatest < 0.07);
  CHECK(fifty_each.rms < 0.02);
  const auto scores = lognormal_scores(1000);
  const auto ten_each = deviation_of(slot_catalog(scores, 100, 2));
  CHECK(ten_each.greatest < 0.45);
  CHECK(ten_each.rms < 0.07);
  CHECK(ten_each.rms < rms_of_blind_dealing(scores, 100) / 2);
  const auto several_kinds = deviation_of(mixed_catalog(10'000, 100));
  CHECK(several_kinds.greatest < 0.08);
  CHECK(several_kinds.rms < 0.02);
}

TEST_CASE("dealing in rows that change direction is exact where scores fall evenly") {
  std::vector<double> scores(400);
  std::iota(scores.begin(), scores.end(), 1.0);
  CHECK(deviation_of(slot_catalog(scores, 10, 1)).greatest < 1e-12);
}

TEST_CASE("machines of a partition stand in falling order of score, with weights to match") {
  const auto c = mixed_catalog(500, 9);
  std::uint32_t greatest = 0;
  for (partition_id p = 0; p < c.partitions(); ++p) {
    const auto members = c.members(p);
    REQUIRE(c.weights(p).size() == members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      const double score = c.machine(members[i]).score;
      if (i > 0)
        CHECK(c.machine(members[i - 1]).score >= score);
      CHECK(c.weights(p)[i] / c.weight_of_one() == doctest::Approx(score).epsilon(1e-4));
      greatest = std::max(greatest, c.weights(p)[i]);
    }
  }
  CHECK(greatest == 1U << 20);
}

TEST_CASE("a score that is tiny beside the best one still has a weight") {
  const auto c = slot_catalog({1e9, 1e-9}, 1, 1);
  CHECK(c.weights(0)[1] == 1);
}

TEST_CASE("units and columns come from the machines") {
  const auto c = mixed_catalog(10, 1); // 5 of 4 cores, 3 of 8, 2 of 12, each core with 2 GiB
  CHECK(c.units() == 5 * 4 + 3 * 8 + 2 * 12);
  CHECK(std::vector(c.columns().begin(), c.columns().end()) ==
        std::vector{resource::cpu, resource::memory});
  CHECK(c.unit() == cpu_and_memory(1000, 2048));
  int large = 0;
  for (machine_id m = 0; m < c.machines(); ++m)
    large += c.kind_of(m).name == "large";
  CHECK(large == 2);
  CHECK(even_catalog(4, 2, 3).units() == 12);
}

TEST_CASE("the same machines are divided in the same way") {
  const auto a = mixed_catalog(300, 7);
  const auto b = mixed_catalog(300, 7);
  for (machine_id m = 0; m < a.machines(); ++m) {
    CHECK(a.machine(m).score == b.machine(m).score);
    CHECK(a.place_of(m).partition == b.place_of(m).partition);
    CHECK(a.place_of(m).index == b.place_of(m).index);
  }
}

TEST_CASE("machines are numbered partition by partition, and stay what they were") {
  const auto c = slot_catalog({5, 9, 7, 6, 8}, 2, 1); // dealt as {9, 6, 5} and {8, 7}
  std::vector<double> scores;
  for (machine_id m = 0; m < 5; ++m)
    scores.push_back(c.machine(m).score);
  CHECK(scores == std::vector<double>{9, 6, 5, 8, 7});
  const auto mixed = mixed_catalog(500, 9);
  for (machine_id m = 0; m < mixed.machines(); ++m) {
    const auto& machine = mixed.machine(m);
    const auto size = static_cast<std::int32_t>(1 + machine.kind);
    CHECK(machine.capacity == cpu_and_memory(4000 * size, 8192 * size));
    CHECK(mixed.place_of(m).partition >= mixed.place_of(m == 0 ? 0 : m - 1).partition);
  }
}

TEST_CASE("clusters that cannot be are refused") {
  CHECK_THROWS_WITH_AS(even_catalog(3, 4, 1), "3 machines cannot fill 4 partitions",
                       std::invalid_argument);
  CHECK_THROWS_AS(even_catalog(0, 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(even_catalog(3, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(slot_catalog({1, 0}, 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(slot_catalog({1, -1}, 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(slot_catalog({1, std::numeric_limits<double>::quiet_NaN()}, 1, 1),
                  std::invalid_argument);
  CHECK_THROWS_AS(slot_catalog({1, std::numeric_limits<double>::infinity()}, 1, 1),
                  std::invalid_argument);
  const std::vector<machine_info> one(1, machine_info{one_slot, 1, 0});
  CHECK_THROWS_AS(catalog(one, {}, 1, resources{}), std::invalid_argument);
  CHECK_THROWS_AS(catalog(one, {}, 1, resources::of_slots(-1)), std::invalid_argument);
}

TEST_CASE("machines that describe themselves keep their numbers and scores") {
  const auto plain = mixed_catalog(30, 3);
  std::vector<machine_info> all;
  for (machine_id m = 0; m < plain.machines(); ++m)
    all.push_back(plain.machine(m));
  const machine_description big{cpu_and_memory(64000, 65536), {{"rack", "r1"}}};
  const machine_description small{cpu_and_memory(500, 512), {{"rack", "r1"}}};
  const machine_description other{cpu_and_memory(500, 512), {{"rack", "r2"}}};
  const std::vector<task_class> classes{{"racked", {{parse_constraint("rack == r2"), 0.5}}}};
  const auto build = [&](const std::vector<described_machine>& described) {
    return catalog{all,      {{"small", {}}, {"medium", {}}, {"large", {}}},
                   3,        cpu_and_memory(1000, 2048),
                   classes,  {},
                   described};
  };
  const auto before = build({});
  const auto c = build({{4, big}, {11, small}, {29, other}});
  REQUIRE(c.kinds().size() == 5);
  for (machine_id m = 0; m < c.machines(); ++m) {
    CHECK(c.score(m) == before.score(m));
    if (m != 4 && m != 11 && m != 29) {
      CHECK(c.machine(m).capacity == before.machine(m).capacity);
      CHECK(c.machine(m).kind == before.machine(m).kind);
    }
  }
  CHECK(c.machine(4).capacity == big.capacity);
  CHECK(c.machine(4).kind == c.machine(11).kind);
  CHECK(c.kind_of(29).attributes == other.attributes);
  CHECK(c.score(29, 1) == doctest::Approx(std::exp(0.5) * c.score(29)));
  CHECK(c.greatest_capacity() == big.capacity);
  CHECK(c.capacities_of_kind(3).size() == 2);
  const auto place = c.place_of(29);
  CHECK(c.members_of_kind(place.partition, 4).front() == place.index);
  CHECK_THROWS_AS(build({{30, big}}), std::invalid_argument);
}
