#include "nodes/api/policy_routes.hpp"
#include "nodes/fixture.hpp"
#include "nodes/policies/ordered_policies.hpp"
#include "support/api_description.hpp"

#include <doctest/doctest.h>

#include <future>
#include <set>

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr const char* path = "/api/v1/policies";

/// What stands for the gateway of a node.
caf::behavior fake_gateway(caf::event_based_actor*, bool answers) {
  return {
    [=](status_atom) -> caf::result<cluster_report> {
      if (!answers)
        return caf::make_error(caf::sec::runtime_error, "there is no connection to the master");
      return ordered_policies();
    },
    [=](const policy_request& asked) -> caf::result<policy_reply> {
      if (!answers)
        return caf::make_error(caf::sec::runtime_error, "there is no connection to the master");
      if (asked.policy == "odd")
        return policy_reply{{}, "there is no such policy", true};
      if (asked.policy == "early")
        return policy_reply{{}, "the cluster has not begun", false};
      return policy_reply{
        {{instant{7}, asked.schedulers, {asked.policy, {"tau=500ms"}}}}, "", false};
    },
  };
}

/// The routes of policies; holds each answer against the description.
struct served_policies : local_system {
  caf::actor way;
  route_table routes;
  api_description described;

  explicit served_policies(bool answers = true, bool may_change = true)
    : way(system.spawn(fake_gateway, answers)) {
    mount_policies(routes, system, way, may_change);
  }
  ~served_policies() { caf::anon_send_exit(way, caf::exit_reason::user_shutdown); }

  web_response send(const std::string& method, const std::string& body = "") {
    std::promise<web_response> told;
    const auto found = routes.find(method, path);
    REQUIRE(found.found != nullptr);
    CHECK(found.found->access == route_access::trusted);
    found.found->handler({method, path, {}, {}, body},
                         web_reply{[&](web_response r) { told.set_value(std::move(r)); }});
    auto answer = told.get_future().get();
    CHECK(described.fault(method == "GET" ? "get" : "post", path, answer.status, answer.type,
                          answer.body) == "");
    return answer;
  }

  nlohmann::json ask(unsigned status, const std::string& method, const std::string& body = "") {
    const auto answer = send(method, body);
    CHECK(answer.status == status);
    return nlohmann::json::parse(answer.body);
  }
};

} // namespace

TEST_CASE_FIXTURE(served_policies, "the API tells the policies, and changes them") {
  const auto all = ask(200, "GET");
  CHECK(all["schedulers"].size() == 6);
  CHECK(all["schedulers"][2]["state"] == "refused");
  const auto changed = ask(202, "POST", R"({"policy":"best-fit","schedulers":[0,3]})");
  REQUIRE(changed["changes"].size() == 1);
  CHECK(changed["changes"][0]["policy"] == "best-fit");
  CHECK(changed["changes"][0]["schedulers"] == nlohmann::json{0, 3});
  CHECK(changed["changes"][0]["settings"]["tau"] == "500ms");
}

TEST_CASE_FIXTURE(served_policies, "the API refuses other policies with the reason") {
  CHECK(ask(422, "POST", R"({"policy":"odd"})")["error"] == "there is no such policy");
  CHECK(ask(422, "POST", R"({"policy":"a","settings":[1]})")["faults"][0]["place"] ==
        "/settings/0");
  CHECK(ask(422, "POST", "no json")["faults"].size() == 1);
  CHECK(ask(409, "POST", R"({"policy":"early"})")["error"] == "the cluster has not begun");
}

TEST_CASE("a server that anybody may use shows policies only") {
  served_policies open{true, false};
  open.ask(200, "GET");
  const auto told = open.ask(403, "POST", R"({"policy":"best-fit"})");
  CHECK(told["error"].get<std::string>().find("expected a node with --serve-tls") !=
        std::string::npos);
}

TEST_CASE("the API of policies says that the master is away") {
  served_policies none{false};
  for (const auto* method : {"GET", "POST"}) {
    const auto answer = none.send(method, R"({"policy":"best-fit"})");
    CHECK(answer.status == 503);
    CHECK(answer.body.find("there is no connection to the master") != std::string::npos);
    REQUIRE(answer.headers.size() == 1);
    CHECK(answer.headers[0].first == "Retry-After");
  }
}

TEST_CASE("the description of the API has the routes of policies, and no others") {
  const auto routes_of = [](const route_table& table) {
    std::set<std::string> all;
    for (const auto& r : table.all())
      all.insert(r.method + ' ' + r.path);
    return all;
  };
  route_table without;
  mount_without_policies(without, [] { return error_response(503, "none here"); });
  const served_policies real;
  CHECK(routes_of(without) == routes_of(real.routes));
  std::set<std::string> described;
  for (const auto& [method, _] : real.described.paths().at(path).items())
    described.insert((method == "get" ? "GET " : "POST ") + std::string{path});
  CHECK(described == routes_of(real.routes));
}
