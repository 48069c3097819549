#include "policies/policy_choice.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("what is not given has its default, and what is not declared is left out") {
  const std::vector<setting_info> declared{{.name = "a", .meaning = "", .standard = 1},
                                           {.name = "b", .meaning = "", .standard = 0.5}};
  const auto all = completed(declared, {{"b", 0.25}, {"c", true}});
  CHECK(all == setting_values{{"a", 1}, {"b", 0.25}});
  CHECK(all.get<int>("a") == 1);
  CHECK(all.get<std::uint64_t>("a") == 1);
  CHECK_THROWS_AS(all.get<double>("a"), std::invalid_argument);
  CHECK_THROWS_AS(all.get<bool>("c"), std::invalid_argument);
}

TEST_CASE("a setting admits values of its type and in its range") {
  const setting_info k{.name = "k", .meaning = "", .standard = 2, .min = 1, .max = 9};
  CHECK(k.admits(1));
  CHECK(k.admits(9));
  CHECK_FALSE(k.admits(0));
  CHECK_FALSE(k.admits(2.0));
  const setting_info x{.name = "x", .meaning = "", .standard = 0.5, .min = 0, .above_min = true};
  CHECK(x.admits(1e300));
  CHECK_FALSE(x.admits(0.0));
  CHECK_FALSE(x.admits(std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(x.admits(std::numeric_limits<double>::infinity()));
  const setting_info t{.name = "t", .meaning = "", .standard = 1s, .min = 1};
  CHECK(t.admits(1s));
  CHECK_FALSE(t.admits(999ms));
  const setting_info s{.name = "s", .meaning = "", .standard = "a", .choices = {"a", "b"}};
  CHECK(s.admits("b"));
  CHECK_FALSE(s.admits("c"));
}

TEST_CASE("every value can be written and read again") {
  for (const setting_value& value :
       {setting_value{true}, setting_value{-12}, setting_value{0.1}, setting_value{1e-300},
        setting_value{1500ms}, setting_value{7ns}, setting_value{0s}, setting_value{"a=b c"}}) {
    CAPTURE(to_text(value));
    CHECK(parse_setting(to_text(value), value) == value);
  }
  CHECK_FALSE(parse_setting("2x", setting_value{1}));
  CHECK_FALSE(parse_setting("5", setting_value{1s}));
  CHECK_FALSE(parse_setting("yes", setting_value{true}));
}

TEST_CASE("a choice of policy carries its settings, and defaults for what it does not say") {
  const auto choice = choose("adaptive", {{"tau", 2s}});
  CHECK(choice.settings == std::vector<std::string>{"tau=2s"});
  CHECK(values_of(choice) == setting_values{{"tau", 2s}, {"ema_weight", 0.1}});
  CHECK(values_of({"adaptive", {"tau=soon"}}).get<duration>("tau") == 1500ms);
  CHECK(values_of({"nobody", {"tau=2s"}}) == setting_values{});
}
