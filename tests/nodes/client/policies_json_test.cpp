#include "nodes/client/policies_json.hpp"
#include "nodes/policies/ordered_policies.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace troupe;
using namespace troupe::test;

namespace {

nlohmann::json written(const nlohmann::ordered_json& made) {
  return nlohmann::json::parse(made.dump());
}

std::string fault_of(const std::string& request) {
  try {
    read_policy_request(request);
    return "";
  } catch (const policy_json_error& e) {
    return e.place + ": " + e.what();
  }
}

} // namespace

TEST_CASE("programs get the policies as JSON") {
  const auto j = policies_json(policies_of(ordered_policies()));
  CHECK(j["time_s"] == 90);
  REQUIRE(j["schedulers"].size() == 6);
  const auto& first = j["schedulers"][0];
  CHECK(first["policy"] == "adaptive");
  CHECK(first["settings"]["tau"] == "500ms");
  CHECK(first["since_s"] == 30);
  CHECK(first["by"] == "client");
  CHECK(first["node"] == "node-1");
  CHECK(j["schedulers"][2]["reason"] == "no plugin has it");
  CHECK(j["schedulers"][4]["state"] == "away");
  CHECK(j["schedulers"][4]["node"].is_null());
  CHECK(j["schedulers"][5]["changeable"] == false);
  CHECK_FALSE(j["schedulers"][5].contains("since_s"));
}

TEST_CASE("policies and orders are read as they were written") {
  const auto all = policies_json(policies_of(ordered_policies()));
  CHECK(policies_json(read_policies(written(all))) == all);
  // An instant that no short decimal number has.
  const std::vector<policy_order> orders{
    {instant{86'400'123'456'789}, {0, 3}, {"adaptive", {"tau=500ms"}}},
    {instant{1}, {1}, {"best-fit", {}}}};
  const auto made = read_orders(written(orders_json(orders)));
  REQUIRE(made.size() == 2);
  CHECK(made[0].at == orders[0].at);
  CHECK(made[0].schedulers == orders[0].schedulers);
  CHECK(made[0].to.settings == orders[0].to.settings);
  CHECK(made[1].at == orders[1].at);
  for (const char* odd : {R"({})", R"({"time_s":1,"schedulers":[{"number":1}]})",
                          R"({"time_s":"x","schedulers":[]})"})
    CHECK_THROWS_AS(read_policies(nlohmann::json::parse(odd)), policy_json_error);
  auto dreamy = written(all);
  dreamy["schedulers"][0]["state"] = "dreamy";
  CHECK_THROWS_AS(read_policies(dreamy), policy_json_error);
}

TEST_CASE("a request for a policy is read, or its fault is named") {
  const policy_request asked{"adaptive", {"policy.tau=1s"}, {0, 4'294'967'295}};
  const auto read = read_policy_request(request_json(asked).dump());
  CHECK(read.policy == asked.policy);
  CHECK(read.settings == asked.settings);
  CHECK(read.schedulers == asked.schedulers);
  CHECK(read_policy_request(R"({"policy":"best-fit"})").schedulers.empty());

  CHECK(fault_of("{") == ": expected a JSON object with the member policy");
  CHECK(fault_of("[]") == ": expected a JSON object with the member policy");
  CHECK(fault_of("{}") == "/policy: is missing");
  CHECK(fault_of(R"({"policy":7})") == "/policy: is 7; expected a text");
  CHECK(fault_of(R"({"policy":"a","scheduler":[1]})") ==
        "/scheduler: is unknown; expected policy, settings or schedulers");
  CHECK(fault_of(R"({"policy":"a","settings":"x=1"})") == "/settings: is no list");
  CHECK(fault_of(R"({"policy":"a","settings":["x=1",2]})") == "/settings/1: is 2; expected a text");
  CHECK(fault_of(R"({"policy":"a","settings":[")" + std::string(1'001, 'x') + R"("]})") ==
        "/settings/0: is too long; expected at most 1000 bytes");
  const auto deep = std::string(200'000, '[') + std::string(200'000, ']');
  CHECK(fault_of(R"({"policy":)" + deep + "}") == "/policy: is an array; expected a text");
  CHECK(fault_of(R"({"policy":"a","schedulers":[)" + deep + "]}") ==
        "/schedulers/0: is an array; expected the number of a scheduler");
  for (const char* odd : {"-1", "1.5", "4294967296", "\"1\""})
    CHECK(fault_of(R"({"policy":"a","schedulers":[0,)" + std::string{odd} + "]}") ==
          "/schedulers/1: is " + std::string{odd} + "; expected the number of a scheduler");
}
