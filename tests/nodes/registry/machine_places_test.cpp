#include "model/base/random.hpp"
#include "nodes/registry/machine_places.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

using namespace troupe;

namespace {

using std::chrono::seconds;

constexpr auto rest = seconds{30};

/// `partitions` of `each` places.
std::vector<std::uint32_t> layout(std::uint32_t partitions, std::uint32_t each) {
  std::vector<std::uint32_t> partition_of;
  for (std::uint32_t i = 0; i < partitions * each; ++i)
    partition_of.push_back(i / each);
  return partition_of;
}

machine_description host(std::int32_t cores, const std::string& zone = "") {
  machine_description is;
  is.capacity[resource::cpu] = cores * 1000;
  if (!zone.empty())
    is.attributes["zone"] = zone;
  return is;
}

machine_places::clock::time_point at(int second) {
  return machine_places::clock::time_point{} + seconds{1000 + second};
}

} // namespace

TEST_CASE("machines fill partitions evenly, by what they have") {
  machine_places places{layout(3, 4), rest};
  CHECK(places.take(host(4), {}, at(0)) == 0);
  CHECK(places.take(host(1), {}, at(0)) == 4);
  CHECK(places.take(host(1), {}, at(0)) == 8);
  CHECK(places.take(host(1), {}, at(0)) == 5);
  CHECK(places.take(host(1), {}, at(0)) == 9);
  CHECK(places.take(host(4), {}, at(0)) == 6);
  CHECK(places.taken() == 6);
}

TEST_CASE("another machine gets a place only after a rest, the same one at once") {
  machine_places places{layout(1, 2), rest};
  CHECK(places.take(host(1), {}, at(0)) == 0);
  CHECK(places.take(host(1), {}, at(0)) == 1);
  CHECK_FALSE(places.take(host(1), {}, at(0)));
  places.leave(0, at(10));
  CHECK_FALSE(places.take(host(1), {}, at(39)));
  CHECK(places.take(host(1), 0, at(11)) == 0);
  places.leave(0, at(20));
  CHECK(places.take(host(2, "a"), {}, at(50)) == 0);
}

TEST_CASE("a place keeps its attributes as long as others are free") {
  machine_places places{layout(1, 3), rest};
  CHECK(places.take(host(1, "a"), {}, at(0)) == 0);
  CHECK(places.keep(0, host(8, "a")));
  CHECK(places.table().front().is.capacity[resource::cpu] == 8000);
  CHECK_FALSE(places.keep(0, host(8, "b")));
  places.leave(0, at(0));
  CHECK(places.take(host(1, "b"), 0, at(100)) == 1);
  CHECK(places.take(host(1, "a"), {}, at(100)) == 0);
  CHECK(places.take(host(1, "c"), {}, at(100)) == 2);
  places.leave(1, at(100));
  CHECK(places.take(host(1, "d"), {}, at(200)) == 1);
}

TEST_CASE("a restarted master keeps places for the machines that may have them") {
  machine_places before{layout(1, 4), rest};
  before.take(host(1, "a"), {}, at(0));
  before.take(host(1, "b"), {}, at(0));
  before.take(host(1, "c"), {}, at(0));
  before.leave(2, at(0));
  machine_places after{layout(1, 4), rest};
  after.believe(before.table(), at(100));
  const auto vacant = [&](machine_id m) { return after.table().at(m).vacant; };
  CHECK_FALSE(vacant(0));
  CHECK(vacant(2));
  CHECK(after.take(host(1, "a"), {}, at(101)) == 3);
  CHECK(after.take(host(1, "b"), 1, at(102)) == 1);
  CHECK_FALSE(after.settle(at(129)));
  CHECK(after.settle(at(130)));
  CHECK(vacant(0));
  CHECK_FALSE(vacant(1));
  CHECK(after.take(host(1, "x"), {}, at(130)) == 0);
}

TEST_CASE("a machine moves to a partition that has less if that levels them") {
  machine_places places{layout(2, 3), rest};
  for (int i = 0; i < 4; ++i)
    places.take(host(2), {}, at(0));
  const auto any = [](machine_id) { return true; };
  CHECK_FALSE(places.to_move(any, at(0)));
  places.leave(3, at(0));
  CHECK_FALSE(places.to_move(any, at(0))); // one more here is as good as one more there
  places.leave(4, at(0));
  CHECK(places.to_move(any, at(0)) == 0);
  CHECK(places.to_move([](machine_id m) { return m == 1; }, at(0)) == 1);
  CHECK_FALSE(places.to_move([](machine_id) { return false; }, at(0)));
}

TEST_CASE("after a thousand joins and leaves no place has two machines") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    auto random = random_stream::derive(seed, "places", 0);
    machine_places places{layout(5, 8), rest};
    std::map<machine_id, machine_description> there;
    std::map<machine_id, int> left_at;
    for (int t = 0; t < 1000; ++t) {
      if (!there.empty() && (there.size() == 40 || random.below(2) == 0)) {
        auto leaves = there.begin();
        std::advance(leaves, static_cast<std::ptrdiff_t>(random.below(there.size())));
        places.leave(leaves->first, at(t));
        left_at[leaves->first] = t;
        there.erase(leaves);
      } else {
        const auto joins = host(2, std::string(1, static_cast<char>('a' + random.below(3))));
        const auto place = places.take(joins, {}, at(t));
        if (!place) { // all that nobody has were left just now
          CHECK(std::ranges::count_if(left_at, [&](const auto& l) {
                  return !there.contains(l.first) && t - l.second < 30;
                }) == static_cast<std::ptrdiff_t>(40 - there.size()));
          continue;
        }
        REQUIRE(there.emplace(*place, joins).second);
        if (left_at.contains(*place))
          CHECK(t - left_at[*place] >= 30);
      }
      CHECK(places.taken() == there.size());
      for (const auto& d : places.table())
        if (const auto it = there.find(d.number); it != there.end()) {
          CHECK_FALSE(d.vacant);
          CHECK(d.is == it->second);
        } else {
          CHECK(d.vacant);
        }
    }
  }
}
