#include "experiments/compare/fidelity_table.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace troupe;

namespace {

const std::vector<std::string> names{"virtual time", "one process", "processes"};

const std::vector<nlohmann::ordered_json> summaries{
  {{"tasks", {{"placed", 1000}}}, {"quality", {{"mean", 2}}}},
  {{"tasks", {{"placed", 1000}}}, {"quality", {{"mean", 2.5}}}},
  {{"tasks", {{"placed", 999}}}, {"quality", {{"mean", nullptr}}}}};

} // namespace

TEST_CASE("ways to run a configuration are compared with the first one") {
  const auto compared = compare_fidelity(names, summaries, 0.1);
  CHECK(compared.beyond == 2);
  CHECK(compared.table.to_plain() ==
        "               virtual time  one process      gap   processes       gap\n"
        "tasks placed          1,000        1,000    equal         999  -0.100 %\n"
        "quality, mean          2.00         2.50  +25.0 %*          -    from 0*\n");
  CHECK(compare_fidelity(names, summaries, 0).beyond == 0);
}

TEST_CASE("the comparison is no wider than the terminal") {
  const auto text = compare_fidelity(names, summaries, 0.1).table.to_plain(48);
  CHECK(text == "               virtual time  one process\n"
                "tasks placed          1,000        1,000\n"
                "quality, mean          2.00         2.50\n"
                "\n"
                "                   gap   processes       gap\n"
                "tasks placed     equal         999  -0.100 %\n"
                "quality, mean  +25.0 %*          -    from 0*\n");
}
