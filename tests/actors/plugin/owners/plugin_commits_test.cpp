#include "actors/plugin/owners/plugin_commits.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;

namespace {

plugin_commit commit_of(commit_id id, commit_id of_plugin, std::vector<placement> placements) {
  plugin_commit c;
  c.what.id = id;
  c.what.placements = std::move(placements);
  c.of_plugin = of_plugin;
  return c;
}

} // namespace

TEST_CASE("commits of an incarnation have numbers above those of the ones before") {
  const plugin_commits first{1, 1};
  const plugin_commits second{2, 1};
  CHECK(first.number_of(0, 5) == (commit_id{1} << 40) + 5);
  CHECK(second.number_of(0, 1) > first.number_of(0, 1'000'000));
  CHECK(second.plugin_number(0, second.number_of(0, 5)) == 5);
  CHECK(second.plugin_number(0, first.number_of(0, 5)) == 0);
}

TEST_CASE("a commit of a plugin begins once") {
  plugin_commits commits{1, 2};
  CHECK(commits.begin(0, 3));
  CHECK_FALSE(commits.begin(0, 3));
  CHECK_FALSE(commits.begin(0, 2));
  CHECK(commits.begin(1, 2));
  CHECK(commits.count() == 2);
  CHECK_THROWS(commits.begin(2, 1));
}

TEST_CASE("a commit that is sent anew moves the numbers of later ones") {
  plugin_commits commits{1, 2};
  commits.begin(0, 3);
  const auto before = commits.number_of(0, 3);
  CHECK(commits.renumber(0) == before + 1);
  CHECK(commits.number_of(0, 4) == before + 2);
  CHECK(commits.plugin_number(0, before + 2) == 4);
  CHECK(commits.number_of(1, 3) == before); // of the other owner
}

TEST_CASE("a commit is pending until it is answered, and held until it is settled") {
  plugin_commits commits{1, 2};
  commits.add(0, commit_of(11, 1, {slot_placement(1, 0, 0)}));
  commits.add(0, commit_of(12, 2, {slot_placement(1, 1, 0), slot_placement(1, 2, 1)}));
  CHECK(commits.placements() == 3);
  CHECK(commits.is_pending(0, {1, 2}));
  CHECK_FALSE(commits.is_pending(1, {1, 2}));
  CHECK_FALSE(commits.take(0, 13));
  CHECK_THROWS(commits.take(2, 11));
  commits.hold(0, *commits.take(0, 12));
  CHECK_FALSE(commits.is_pending(0, {1, 2}));
  CHECK(commits.placements() == 3);
  CHECK(commits.any([](const plugin_commit& c) { return c.what.id == 12; }));
  CHECK_FALSE(commits.settle(0, 1));
  CHECK(commits.settle(0, 2) == 12);
  CHECK_FALSE(commits.settle(0, 2));
  CHECK_FALSE(commits.any([](const plugin_commit& c) { return c.what.id == 12; }));
  CHECK(commits.take_pending(0).size() == 1);
  CHECK(commits.pending(0).empty());
}
