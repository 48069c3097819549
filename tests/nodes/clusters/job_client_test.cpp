#include "cli/process.hpp"
#include "web/server.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>

using namespace troupe;
using namespace troupe::test;

namespace {

/// A server with one path, in place of a node that keeps jobs.
class one_path_server {
public:
  one_path_server(const std::string& path, std::function<web_response(int asked)> answer) {
    const auto routes = std::make_shared<route_table>();
    routes->get(
      path, [this, answer = std::move(answer)](const web_request&) { return answer(++asked_); });
    web_options options;
    options.port = 0;
    server_ = std::make_unique<web_server>(options, routes);
  }

  std::string url() const { return server_->url(); }
  int asked() const { return asked_; }

private:
  std::atomic<int> asked_{0};
  std::unique_ptr<web_server> server_;
};

web_response too_many(const char* retry_after) {
  auto refusal = error_response(429, "too many");
  refusal.headers.emplace_back("Retry-After", retry_after);
  return refusal;
}

} // namespace

TEST_CASE("a command asks again if there were too many requests") {
  const scratch here;
  const one_path_server busy{"/api/v1/jobs", [](int asked) {
                               return asked == 1 ? too_many("1")
                                                 : json_response(R"({"jobs":[],"before":null})");
                             }};
  const auto told = here.run({"jobs", "--api", busy.url()});
  CAPTURE(told.err);
  CHECK(told.code == 0);
  CHECK(busy.asked() == 2);
  // It says at once what would take longer.
  const one_path_server full{"/api/v1/jobs", [](int) { return too_many("60"); }};
  CHECK(here.run({"jobs", "--api", full.url()}).code == 4);
  CHECK(full.asked() == 1);
}

TEST_CASE("a command asks again if the server was too slow, or is not available") {
  const scratch here;
  for (const unsigned status : {503U, 504U}) {
    const one_path_server slow{"/api/v1/jobs", [&](int asked) {
                                 return asked < 3 ? error_response(status, "not now")
                                                  : json_response(R"({"jobs":[],"before":null})");
                               }};
    CHECK(here.run({"jobs", "--api", slow.url()}).code == 0);
    CHECK(slow.asked() == 3);
  }
}

TEST_CASE("those who wait do not ask all the time") {
  const scratch here;
  const one_path_server crowded{"/api/v1/jobs/{job}", [](int) {
                                  return json_response(R"({"id":1,"state":"running","tasks":1})");
                                }};
  CHECK(here.run({"wait", "1", "--timeout", "2s", "--api", crowded.url()}).code == 124);
  CHECK(crowded.asked() > 3);
  CHECK(crowded.asked() < 15);
}
