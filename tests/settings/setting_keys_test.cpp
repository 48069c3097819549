#include "settings/schema/setting_keys.hpp"
#include "settings/toml/print.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace troupe;

namespace {

const setting_key* find_key(const std::vector<setting_key>& all, const std::string& key) {
  const auto it = std::ranges::find(all, key, &setting_key::key);
  return it == all.end() ? nullptr : &*it;
}

} // namespace

TEST_CASE("setting keys are those of the reference, each once") {
  const auto all = setting_keys();
  std::set<std::string> keys;
  const auto reference = settings_reference();
  for (const auto& s : all) {
    CAPTURE(s.key);
    CHECK(keys.insert(s.key).second);
    CHECK_FALSE(s.meaning.empty());
    const auto name = s.key.substr(s.key.rfind('.') + 1);
    CHECK(reference.find(name + " = ") != std::string::npos);
  }
  CHECK(all.size() > 150);
}

TEST_CASE("setting keys have the values that are allowed") {
  const auto all = setting_keys();
  const auto* architecture = find_key(all, "architecture");
  REQUIRE(architecture != nullptr);
  CHECK(std::ranges::find(architecture->values, "two-level") != architecture->values.end());
  const auto* policy = find_key(all, "scheduler.policy");
  REQUIRE(policy != nullptr);
  CHECK(std::ranges::find(policy->values, "adaptive") != policy->values.end());
  const auto* churn = find_key(all, "cluster.trace.churn");
  REQUIRE(churn != nullptr);
  CHECK(churn->values == std::vector<std::string>{"true", "false"});
  const auto* gap = find_key(all, "sync.gap");
  REQUIRE(gap != nullptr);
  CHECK(gap->values.empty());
  CHECK(find_key(all, "workload.phases.0.load") != nullptr);
  CHECK(find_key(all, "groups.0.name") != nullptr);
}
