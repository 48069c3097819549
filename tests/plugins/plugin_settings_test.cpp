#include "plugins/libraries.hpp"
#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

run_settings parsed(const std::string& more, const std::vector<std::string>& set = {}) {
  return parse_settings(tiny_cluster + more, "f.toml", with_faulty(set));
}

std::string refusal(const std::string& more, const std::vector<std::string>& set = {}) {
  try {
    parsed(more, set);
  } catch (const settings_error& e) {
    return e.what();
  }
  return "accepted";
}

} // namespace

TEST_CASE("a plugin's settings have their defaults, and are read from its own table") {
  const auto plain = parsed("").policy.of("faulty");
  CHECK(plain.get<duration>("after") == 0s);
  CHECK(plain.get<double>("level") == 0.5);
  CHECK(plain.get<int>("count") == 3);
  CHECK(plain.get<bool>("on"));
  const auto tuned = parsed("[policy.faulty]\nafter = \"1500ms\"\nlevel = 0.25\ncount = -7\n"
                            "on = false\nfault = \"nan\"\n")
                       .policy.of("faulty");
  CHECK(tuned.get<duration>("after") == 1500ms);
  CHECK(tuned.get<double>("level") == 0.25);
  CHECK(tuned.get<int>("count") == -7);
  CHECK_FALSE(tuned.get<bool>("on"));
  CHECK(tuned.get<std::string>("fault") == "nan");
}

TEST_CASE("a group takes what it does not set from the top level") {
  const auto s = parsed("[policy.faulty]\ncount = 5\n[[groups]]\nname = \"a\"\nschedulers = 1\n"
                        "[groups.policy.faulty]\nlevel = 1\n[[groups]]\nname = \"b\"\n"
                        "schedulers = 1\n[groups.scheduler]\nactor = \"faulty\"\n"
                        "[groups.scheduler.faulty]\nfault = \"twice\"\n");
  CHECK(s.groups[0].policy.of("faulty").get<double>("level") == 1);
  CHECK(s.groups[0].policy.of("faulty").get<int>("count") == 5);
  CHECK(s.groups[1].policy.of("faulty").get<double>("level") == 0.5);
  CHECK(s.groups[1].scheduler.own.at("faulty").get<std::string>("fault") == "twice");
  CHECK(s.groups[0].scheduler.own.at("faulty").get<std::string>("fault") == "none");
}

TEST_CASE("a plugin's settings are checked as any other ones") {
  const auto line = [](const std::string& text) { return "[policy.faulty]\n" + text + "\n"; };
  CHECK(refusal(line("count = 0.5")) ==
        "f.toml:14: key 'policy.faulty.count': value 0.5; expected a whole number");
  CHECK(refusal(line("level = 2")) ==
        "f.toml:14: key 'policy.faulty.level': value 2; expected a number, 0 .. 1");
  CHECK(refusal(line("after = 5")) == "f.toml:14: key 'policy.faulty.after': value 5; expected a "
                                      "duration with its unit: write \"5s\"");
  CHECK(refusal(line("on = \"yes\"")) ==
        "f.toml:14: key 'policy.faulty.on': value \"yes\"; expected true or false");
  CHECK(refusal(line("fault = \"lazy\"")).find("expected none, loops, throws, ") !=
        std::string::npos);
  CHECK(refusal(line("levle = 0.5")) ==
        "f.toml:14: key 'policy.faulty.levle' is unknown; expected 'level'?");
  CHECK(refusal("[policy.faulti]\n") ==
        "f.toml:13: key 'policy.faulti' is unknown; expected 'faulty'?");
}

TEST_CASE("a plugin that cannot be loaded is refused with the place that names it") {
  const auto text = std::string{"[plugins]\npaths = [\n  \"none.so\"]\n"} + tiny_cluster;
  try {
    parse_settings(text, "f.toml");
    FAIL("accepted");
  } catch (const settings_error& e) {
    CHECK(std::string{e.what()} ==
          "f.toml:3: key 'plugins.paths.0': none.so: there is no such file; expected a plugin, a "
          "shared library");
  }
}

TEST_CASE("settings as used name the plugins and what they are set to, and can be read again") {
  const auto s = parsed("[policy.faulty]\ncount = 11\n[[policy_changes]]\nat = \"2s\"\n"
                        "to = \"best-fit\"\n[policy_changes.policy]\nscan = 9\n");
  const auto text = to_toml(s);
  CHECK(text.find("paths = [\"" + library("faulty_policy") + "\"") != std::string::npos);
  CHECK(text.find("[policy.faulty]") != std::string::npos);
  CHECK(parse_settings(text, "again.toml") == s);
}

TEST_CASE("a change of policy is made, shown, and the same on every run") {
  const std::vector<std::string> set{"scheduler.policy=quality-first",    "policy_changes.0.at=2s",
                                     "policy_changes.0.to=faulty",        "policy_changes.1.at=3s",
                                     "policy_changes.1.to=latency-first", "duration=5s"};
  const auto first = try_cluster(tiny_cluster, with_faulty(set));
  REQUIRE(first.policy_changes.size() == 2);
  CHECK(first.policy_changes[0].at == 2s);
  CHECK(first.policy_changes[0].from == "quality-first");
  CHECK(first.policy_changes[0].to == "faulty");
  CHECK(first.policy_changes[1].from == "faulty");
  const auto text = results_text(first);
  CHECK(text.find(R"("policy_changes":[{"at_s":2.0,"group":"all","from":"quality-first","to":)"
                  R"("faulty"},)") != std::string::npos);
  CHECK(text.find(",faulty\r\n") != std::string::npos);
  CHECK(failed_checks(first).empty());
  CHECK(results_text(try_cluster(tiny_cluster, with_faulty(set))) == text);
  const auto without = try_cluster(tiny_cluster, {"scheduler.policy=quality-first", "duration=5s"});
  CHECK(results_text(without).find("policy_changes") == std::string::npos);
  // Until the change the runs are the same; then the other policy picks other machines.
  CHECK(first.series[1].sample.quality.sum == without.series[1].sample.quality.sum);
  CHECK(first.series[3].sample.quality.sum != without.series[3].sample.quality.sum);
}

TEST_CASE("a policy that is changed to is checked and tuned as its change says") {
  const auto message = failure({"policy_changes.0.at=2s", "policy_changes.0.to=faulty",
                                "policy_changes.0.policy.faulty.fault=throws"});
  CHECK(message.find("pick() threw: lost the map") != std::string::npos);
}

TEST_CASE("a change of policy that cannot be is refused") {
  CHECK(refusal("[[policy_changes]]\nat = \"1s\"\n").find("expected the name of a policy") !=
        std::string::npos);
  CHECK(refusal("[[policy_changes]]\nto = \"luck\"\n").find("expected adaptive, ") !=
        std::string::npos);
  CHECK(refusal("[[policy_changes]]\nto = \"adaptive\"\ngroup = \"b\"\n")
          .find("f.toml:15: key 'policy_changes.0.group': value \"b\"; expected the name of one") !=
        std::string::npos);
  CHECK(refusal("[[policy_changes]]\nto = \"adaptive\"\n", {"architecture=sparrow"})
          .find("expected a group of schedulers with a policy") != std::string::npos);
}
