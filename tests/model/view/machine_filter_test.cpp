#include "model/cluster/eligible_kinds.hpp"
#include "model/view/anti_affinity_book.hpp"
#include "support/attribute_cluster.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("a filter without sets admits every machine") {
  const auto machines = disk_catalog({hdd, ssd}, 1, 1);
  const machine_filter filter;
  CHECK(filter.empty());
  CHECK(filter.admits(machines, 0));
  CHECK(filter.admits(machines, 1));
}

TEST_CASE("each set of a filter keeps its machines out") {
  const auto machines = disk_catalog({hdd, ssd, ssd, ssd}, 1, 1);
  kind_set kinds{2};
  kinds.add(ssd);
  machine_set away{1};
  avoided_machines avoided;
  avoided.add(2, 5s);
  const machine_filter filter{&kinds, &away, &avoided};
  CHECK_FALSE(filter.empty());
  CHECK_FALSE(filter.admits(machines, 0)); // of the wrong kind
  CHECK_FALSE(filter.admits(machines, 1)); // to stay away from
  CHECK_FALSE(filter.admits(machines, 2)); // avoided
  CHECK(filter.admits(machines, 3));
}

TEST_CASE("the kinds that meet constraints are those that meet all of them") {
  const auto machines = disk_catalog({hdd, ssd}, 1, 1);
  eligible_kinds eligible{machines};
  const auto& both = eligible.of({});
  CHECK(both.contains(hdd));
  CHECK(both.contains(ssd));
  const std::vector fast{parse_constraint("disk == ssd"), parse_constraint("generation > 2018")};
  const auto& one = eligible.of(fast);
  CHECK_FALSE(one.contains(hdd));
  CHECK(one.contains(ssd));
  CHECK(&eligible.of(fast) == &one);
  const auto& none = eligible.of({parse_constraint("disk == hdd"), fast[1]});
  CHECK_FALSE(none.contains(hdd));
  CHECK_FALSE(none.contains(ssd));
}

TEST_CASE("what a kind holds is what one of its machines holds as a whole") {
  const catalog machines{
    {{cpu_and_memory(8000, 1024), 1, 0}, {cpu_and_memory(1000, 8192), 1, 0}, {one_slot, 1, 1}},
    {{"mixed", {}}, {"slots", {{"a", "b"}}}},
    1,
    one_slot};
  eligible_kinds eligible{machines};
  const auto& all = eligible.of({});
  CHECK(eligible.any_holds(all, cpu_and_memory(8000, 1024)));
  CHECK(eligible.any_holds(all, cpu_and_memory(500, 8192)));
  CHECK_FALSE(eligible.any_holds(all, cpu_and_memory(8000, 8192)));
  CHECK(eligible.any_holds(all, one_slot));
  CHECK_FALSE(eligible.any_holds(eligible.of({parse_constraint("a != b")}), one_slot));
}

TEST_CASE("avoided machines are forgotten when their time is over") {
  avoided_machines avoided;
  avoided.add(1, 2s);
  avoided.add(2, 3s);
  avoided.expire(1999ms);
  CHECK(avoided.contains(1));
  avoided.expire(2s);
  CHECK_FALSE(avoided.contains(1));
  CHECK(avoided.contains(2));
  avoided.add(2, 6s); // again, for longer
  avoided.expire(3s);
  CHECK(avoided.contains(2));
  avoided.expire(6s);
  CHECK(avoided.empty());
}

TEST_CASE("a spread job's machines are held until its task has left") {
  anti_affinity_book book;
  CHECK(book.machines_of(7) == nullptr);
  book.add(7, 1);
  book.add(7, 2);
  book.add(8, 1);
  REQUIRE(book.machines_of(7) != nullptr);
  CHECK(*book.machines_of(7) == machine_set{1, 2});
  CHECK_FALSE(book.shares(7, 1));
  book.remove(7, 1);
  CHECK(book.removals() == 1);
  CHECK(*book.machines_of(7) == machine_set{2});
  book.remove(7, 1); // nothing is there any more
  CHECK(book.removals() == 1);
  book.remove(7, 2);
  CHECK(book.machines_of(7) == nullptr);
  CHECK(*book.machines_of(8) == machine_set{1});
}

TEST_CASE("two tasks of a spread job on one machine are noticed until one has left") {
  anti_affinity_book book;
  book.add(7, 1);
  book.add(7, 1);
  CHECK(book.shares(7, 1));
  book.remove(7, 1);
  CHECK_FALSE(book.shares(7, 1));
  CHECK(book.removals() == 0);
  CHECK(book.machines_of(7)->contains(1));
}

TEST_CASE("a filter keeps machines out that a window closes") {
  const auto machines = disk_catalog({hdd, ssd, ssd}, 1, 1);
  const machine_windows windows{{{1s, 2s, {}, {1}}}, 3, nullptr};
  open_classes open{windows};
  machine_filter filter;
  filter.open = &open;
  CHECK_FALSE(filter.empty());
  CHECK_FALSE(filter.admits(machines, 0));
  open.put(0, true);
  CHECK(filter.admits(machines, 0));
  CHECK_FALSE(filter.admits(machines, 1));
  CHECK(filter.admits(machines, 2));
  open.put_all(false);
  open.put(1, true);
  CHECK(filter.admits(machines, 1));
  CHECK_FALSE(filter.admits(machines, 2));
}
