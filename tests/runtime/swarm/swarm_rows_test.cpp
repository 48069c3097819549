#include "runtime/swarm/draw.hpp"
#include "runtime/swarm/rows.hpp"
#include "settings/schema/fields.hpp"
#include "settings/toml/document.hpp"
#include "settings/toml/key_path.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

using namespace troupe;

namespace {

/// The visitor that lists the keys of all settings; elements of lists are number 0.
class key_list {
public:
  template <class T>
  void field(const field_info& info, T&) {
    keys.push_back(key_path(path_, info.name));
  }

  template <class T>
  void table(const field_info& info, T&& members) {
    const auto outer = std::exchange(path_, key_path(path_, info.name));
    describe(*this, members);
    path_ = outer;
  }

  template <class T>
  void overlay(const field_info& info, T& members) {
    table(info, members);
  }

  template <class T>
  void list(const field_info& info, std::vector<T>&, const T& element) {
    auto one = element;
    const auto name = key_path(info.name, "0");
    table(field_info{name, ""}, one);
  }

  std::vector<std::string> keys;

private:
  std::string path_;
};

std::vector<std::string> all_keys() {
  key_list list;
  run_settings s;
  describe(list, s);
  return list.keys;
}

/// What the choices of all rows set.
std::vector<document> all_choices() {
  std::vector<document> all;
  for (const auto& row : swarm_rows())
    for (const auto choice : row.choices) {
      all.emplace_back("", "choice");
      all.back().set(std::string{row.key} + '=' + std::string{choice});
    }
  return all;
}

bool sets(const document& choice, const std::string& key) {
  const auto element = key.find(".0.");
  auto second = key;
  if (element != std::string::npos)
    second[element + 1] = '1';
  return choice.has(key) || choice.has(second);
}

/// What a group or a change of a policy says instead of the top level is drawn with that.
std::string without_overlay(const std::string& key) {
  for (const std::string list : {"groups.0.", "policy_changes.0."})
    for (const std::string table : {"scheduler.", "policy.", "workload."})
      if (key.starts_with(list + table))
        return key.substr(list.size());
  return key;
}

bool has_reason(const std::string& key) {
  return std::ranges::any_of(undrawn_settings(), [&](const undrawn_setting& u) {
    return u.key.ends_with('.') ? key.starts_with(u.key) : key == u.key;
  });
}

} // namespace

TEST_CASE("a swarm draws every setting, or a reason says why not") {
  const auto choices = all_choices();
  for (const auto& key : all_keys()) {
    CAPTURE(key);
    const auto plain = without_overlay(key);
    const bool drawn =
      std::ranges::any_of(choices, [&](const document& c) { return sets(c, plain); });
    CHECK((drawn || has_reason(plain)));
    CHECK_FALSE((drawn && has_reason(plain)));
  }
}

TEST_CASE("what a swarm does not draw are settings") {
  const auto keys = all_keys();
  for (const auto& u : undrawn_settings()) {
    CAPTURE(u.key);
    CHECK(std::ranges::any_of(keys, [&](const auto& key) {
      return u.key.ends_with('.') ? key.starts_with(u.key) : key == u.key;
    }));
  }
}

TEST_CASE("a seed draws the same run each time") {
  for (const auto mode : {swarm_mode::failing, swarm_mode::calm, swarm_mode::real})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto once = draw_swarm(seed, mode);
      const auto again = draw_swarm(seed, mode);
      CHECK(once.choices == again.choices);
      CHECK(once.settings == again.settings);
      CHECK(once.refused == again.refused);
      CHECK(once.settings.seed == seed);
      CHECK((once.settings.clock == clock_kind::real_time) == (mode == swarm_mode::real));
    }
}

TEST_CASE("some seed draws every choice that is possible under failures") {
  std::map<std::string, std::set<std::string>> drawn;
  std::uint64_t refused = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const auto draw = draw_swarm(seed, swarm_mode::failing);
    refused += draw.refused;
    for (const auto& c : draw.choices)
      drawn[std::string{c.row->key}].insert(c.value);
  }
  CHECK(refused < 3000);
  for (const auto& row : swarm_rows()) {
    const std::string key{row.key};
    CAPTURE(key);
    if (key != "failures.watch")
      CHECK(drawn.contains(key));
  }
  CHECK(drawn["architecture"].size() == 7);
}
