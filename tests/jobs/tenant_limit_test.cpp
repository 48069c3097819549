#include "service_fixture.hpp"

using namespace troupe;
using namespace troupe::test;

TEST_CASE("the use of a tenant is that of its running tasks, also after a restart") {
  served_jobs at;
  at.tenants = {"default", "ci"};
  at.maxima = {{"default", 0.75}, {"ci", 0.5}};
  at.restart();
  const plain_node node{at};
  const auto cores = [&](const std::string& tenant) {
    return at.service->limit_of(tenant).value().used.amount[0];
  };
  const auto submit = [&](const std::string& tenant) {
    at.submit(R"({"tenant":")" + tenant +
              R"(","groups":[{"command":["true"],"cpu":2,"count":2}]})");
    return only_new(at).id;
  };
  CHECK(at.service->limit_of("ci")->max == 0.5);
  const auto ci = submit("ci");
  CHECK(cores("ci") == 0);
  const auto first = node.start({ci, 0});
  const auto second = node.start({ci, 1});
  node.start({submit("former"), 0}); // counts for the first tenant
  CHECK(cores("ci") == 4000);
  CHECK(cores("default") == 2000);
  CHECK(cores("former") == 2000);
  at.restart();
  CHECK(cores("ci") == 4000);
  CHECK(cores("default") == 2000);
  node.end(first, 0);
  CHECK(cores("ci") == 2000);
  node.end(second, 0, end_reason::drain); // and waits again
  CHECK(cores("ci") == 0);
  at.maxima.erase("default");
  at.restart();
  CHECK_FALSE(at.service->limit_of("former"));
}
