#include "web/route_table.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

web_response nothing(const web_request&) {
  return {};
}

} // namespace

TEST_CASE("a path may have named parts") {
  route_table routes;
  routes.get("/jobs", nothing);
  routes.get("/jobs/{job}/tasks/{task}", nothing);
  routes.post("/jobs", nothing);
  const auto found = routes.find("GET", "/jobs/7/tasks/a b");
  REQUIRE(found.found == &routes.all()[1]);
  CHECK(found.parts.at("job") == "7");
  CHECK(found.parts.at("task") == "a b");
  CHECK(routes.find("GET", "/jobs").found == &routes.all()[0]);
  CHECK(routes.find("POST", "/jobs").found == &routes.all()[2]);
  for (const auto* other : {"/jobs/", "/jobs//tasks/1", "/jobs/7/tasks", "/", "//jobs"}) {
    CHECK_MESSAGE(routes.find("GET", other).found == nullptr, other);
    CHECK_MESSAGE(routes.find("GET", other).methods.empty(), other);
  }
  CHECK(routes.find("DELETE", "/jobs").methods == "GET, HEAD, POST");
}
