#include "web/access.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

const web_access local{false, {"localhost"}, ""};

web_credentials get_with(std::string_view host) {
  return {"GET", host, "", "", "", false};
}

unsigned status_of(const std::optional<web_response>& refusal) {
  return refusal ? refusal->status : 200;
}

} // namespace

TEST_CASE("hosts of a header") {
  CHECK(host_of("LocalHost:8080") == "localhost");
  CHECK(host_of("127.0.0.1") == "127.0.0.1");
  CHECK(host_of("[::1]:80") == "::1");
  CHECK(host_of("[::1") == "");
  CHECK(host_of("a:b") == "");
  CHECK(host_of("a:") == "");
  CHECK(host_of("[::1]x") == "");
}

TEST_CASE("a name that was made to resolve to this host is refused") {
  CHECK(status_of(why_refused(local, get_with("localhost:1"))) == 200);
  CHECK(status_of(why_refused(local, get_with("127.0.0.1:99"))) == 200);
  CHECK(status_of(why_refused(local, get_with("[::1]:99"))) == 200);
  CHECK(status_of(why_refused(local, get_with("evil.example:80"))) == 421);
  CHECK(status_of(why_refused(local, get_with("localhost.evil.example"))) == 421);
  CHECK(status_of(why_refused(local, get_with(""))) == 400);
}

TEST_CASE("a page of another site cannot post") {
  web_credentials post{"POST", "localhost:80", "", "", "application/json", false};
  CHECK(status_of(why_refused(local, post)) == 200);
  post.origin = "http://localhost:80";
  CHECK(status_of(why_refused(local, post)) == 200);
  post.origin = "https://localhost:80";
  CHECK(status_of(why_refused(local, post)) == 403);
  post.origin = "http://localhost:81";
  CHECK(status_of(why_refused(local, post)) == 403);
  post.origin = "null";
  CHECK(status_of(why_refused(local, post)) == 403);
  post.origin = "";
  post.content_type = "text/plain";
  CHECK(status_of(why_refused(local, post)) == 415);
  post.content_type = "Application/JSON ; charset=utf-8";
  CHECK(status_of(why_refused(local, post)) == 200);
}

TEST_CASE("without the token there is nothing") {
  const web_access remote{true, {"localhost"}, "0123456789abcdef0123456789abcdef"};
  auto asks = get_with("10.0.0.1");
  CHECK(status_of(why_not_trusted(local, asks)) == 200);
  const auto refusal = why_not_trusted(remote, asks);
  REQUIRE(refusal);
  CHECK(refusal->status == 401);
  CHECK(refusal->headers.at(0).first == "WWW-Authenticate");
  for (const auto* wrong :
       {"Bearer", "Bearer ", "Bearer 0123456789abcdef0123456789abcdeX",
        "Basic 0123456789abcdef0123456789abcdef", "Bearer 0123456789abcdef0123456789abcdef0"}) {
    asks.authorization = wrong;
    CHECK(status_of(why_not_trusted(remote, asks)) == 401);
  }
  asks.authorization = "bearer 0123456789abcdef0123456789abcdef";
  CHECK(status_of(why_not_trusted(remote, asks)) == 200);
  asks.authorization = "";
  asks.certified = true;
  CHECK(status_of(why_not_trusted(remote, asks)) == 200);
}
