#include "nodes/execution/machine_history.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

named_machine machine(const std::string& node, std::int32_t cores, bool present = true) {
  named_machine m{node, {}, present};
  m.is.capacity[resource::cpu] = cores * 1000;
  m.is.attributes["zone"] = "a";
  return m;
}

machine_row row(const std::string& node, std::int32_t cores, std::int64_t since,
                std::int64_t until = 0) {
  return {node, since, until, cores * 1000, 0, 0, 0, R"({"zone":"a"})"};
}

using rows = std::vector<machine_row>;

} // namespace

TEST_CASE("machines come, become others, and leave") {
  machine_history history;
  CHECK(history.look({}, 50) == rows{});
  CHECK(history.look({machine("a", 4), machine("b", 2)}, 100) ==
        rows{row("a", 4, 100), row("b", 2, 100)});
  CHECK(history.look({machine("a", 4), machine("b", 2)}, 200) == rows{});
  CHECK(history.look({machine("a", 8), machine("b", 2)}, 300) ==
        rows{row("a", 4, 100, 300), row("a", 8, 300)});
  CHECK(history.look({machine("a", 8)}, 400) == rows{row("b", 2, 100, 400)});
  CHECK(history.look({machine("a", 8), machine("b", 2)}, 500) == rows{row("b", 2, 500)});
}

TEST_CASE("a machine that is away for a short time was there all the time") {
  machine_history history;
  history.look({machine("a", 4)}, 1'000);
  CHECK(history.look({machine("a", 4, false)}, 2'000) == rows{});
  CHECK(history.look({machine("a", 4)}, 11'999) == rows{});
  CHECK(history.look({machine("a", 4, false)}, 20'000) == rows{});
  CHECK(history.look({machine("a", 4, false)}, 29'999) == rows{});
  CHECK(history.look({machine("a", 4, false)}, 30'000) == rows{row("a", 4, 1'000, 20'000)});
  CHECK(history.look({machine("a", 4, false)}, 50'000) == rows{});
  CHECK(history.look({machine("a", 4)}, 60'000) == rows{row("a", 4, 60'000)});
}

TEST_CASE("after a restart of the keeper the machines of the store have some time to come back") {
  machine_history history{{row("a", 4, 10), row("b", 2, 10), row("c", 2, 20)}};
  CHECK(history.look({}, 1'000) == rows{});
  CHECK(history.look({machine("a", 4), machine("b", 3)}, 2'000) ==
        rows{row("b", 2, 10, 2'000), row("b", 3, 2'000)});
  CHECK(history.look({machine("a", 4), machine("b", 3)}, 11'000) == rows{row("c", 2, 20, 1'000)});
}

TEST_CASE("rows of a machine differ in their keys, also when a clock stands still or goes back") {
  machine_history history;
  history.look({machine("a", 1)}, 500);
  CHECK(history.look({machine("a", 2)}, 500) == rows{row("a", 1, 500, 500), row("a", 2, 501)});
  CHECK(history.look({machine("a", 3)}, 400) == rows{row("a", 2, 501, 501), row("a", 3, 502)});
}
