#include "nodes/execution/options_of_service.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

service_options options_with(const std::string& more) {
  return options_of_service(parse_settings(
    "tenants = [{name = 'default'}, {name = 'ci', max = 0.5}]\nworkload.kind = 'jobs'\n" + more,
    "a test"));
}

} // namespace

TEST_CASE("a job service knows the maxima of tenants if schedulers keep to them") {
  const std::map<std::string, double> known{{"ci", 0.5}};
  CHECK(options_with("").tenants == std::vector<std::string>{"default", "ci"});
  CHECK(options_with("").maxima == known);
  CHECK(options_with("architecture = 'static'").maxima == known);
  for (const auto* other : {"two-level", "sparrow", "hybrid"})
    CHECK(options_with("architecture = '" + std::string{other} + "'").maxima.empty());
}
