#include "web/exchange.hpp"
#include "web/gzip.hpp"
#include "web/target.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <libdeflate.h>

using namespace troupe;
namespace http = beast::http;

namespace {

const web_access at_home{false, {"localhost"}, ""};

http_input asked(http::verb method, const std::string& target) {
  http_input made{method, target, 11};
  made.set(http::field::host, "localhost");
  return made;
}

route_table two_routes() {
  route_table routes;
  routes.get("/a", [](const web_request& r) { return json_response(r.value("x", "none")); });
  routes.text("/page", "text/html", std::string(5000, 'p'));
  return routes;
}

std::string unpacked(const std::string& text) {
  std::string out(100'000, '\0');
  auto* d = libdeflate_alloc_decompressor();
  std::size_t size = 0;
  REQUIRE(libdeflate_gzip_decompress(d, text.data(), text.size(), out.data(), out.size(), &size) ==
          LIBDEFLATE_SUCCESS);
  libdeflate_free_decompressor(d);
  return out.substr(0, size);
}

std::string header(const http_output& of, const char* name) {
  return std::string{of[name]};
}

} // namespace

TEST_CASE("targets are decoded, and malformed ones are not") {
  const auto found = read_target("/a%2Fb?x=1+2&y=%41&x=3&z");
  REQUIRE(found);
  CHECK(found->path == "/a/b");
  CHECK(found->query.at("x") == "3");
  CHECK(found->query.at("y") == "A");
  CHECK(found->query.at("z").empty());
  for (const auto* wrong : {"", "a", "*", "http://x/", "/%", "/%4", "/%zz", "/%00", "/?a=%"})
    CHECK_MESSAGE(!read_target(wrong), wrong);
}

TEST_CASE("requests find their routes") {
  const auto routes = two_routes();
  CHECK(decide(asked(http::verb::get, "/a"), false, at_home, routes).route == &routes.all()[0]);
  CHECK(decide(asked(http::verb::head, "/a"), false, at_home, routes).route == &routes.all()[0]);
  CHECK(decide(asked(http::verb::get, "/b"), false, at_home, routes).refusal.status == 404);
  auto post = asked(http::verb::post, "/a");
  post.set(http::field::content_type, "application/json");
  const auto decision = decide(post, false, at_home, routes);
  CHECK(decision.refusal.status == 405);
  CHECK(decision.refusal.headers.at(0).second == "GET, HEAD");
  CHECK(decide(asked(http::verb::get, "x"), false, at_home, routes).refusal.status == 400);
  auto twice = asked(http::verb::get, "/a");
  twice.insert(http::field::host, "localhost");
  CHECK(decide(twice, false, at_home, routes).refusal.status == 400);
}

TEST_CASE("without a token, no path is told from another, but for the page") {
  const auto routes = two_routes();
  const web_access remote{true, {"localhost"}, std::string(32, 't')};
  CHECK(decide(asked(http::verb::get, "/a"), false, remote, routes).refusal.status == 401);
  CHECK(decide(asked(http::verb::delete_, "/a"), false, remote, routes).refusal.status == 401);
  CHECK(decide(asked(http::verb::get, "/page"), false, remote, routes).route != nullptr);
  CHECK(decide(asked(http::verb::get, "/a"), true, remote, routes).route != nullptr);
}

TEST_CASE("errors are valid JSON if they quote bytes that are no UTF-8") {
  const auto body = nlohmann::json::parse(error_response(404, "no \xff\"").body);
  CHECK(body.at("error").get<std::string>().starts_with("no "));
}

TEST_CASE("responses protect browsers, and are not kept") {
  const auto out = render(json_response("{}"), asked(http::verb::get, "/a"), true);
  CHECK(out.result_int() == 200);
  CHECK(header(out, "Cache-Control") == "no-store");
  CHECK(header(out, "Content-Type") == "application/json");
  CHECK(header(out, "X-Content-Type-Options") == "nosniff");
  CHECK(header(out, "Content-Security-Policy").find("default-src 'none'") == 0);
  CHECK(header(out, "Access-Control-Allow-Origin").empty());
}

TEST_CASE("long responses are compressed for those who can read that") {
  auto input = asked(http::verb::get, "/a");
  const std::string body(5000, 'x');
  CHECK(render(json_response(body), input, true).body() == body);
  input.set(http::field::accept_encoding, "br, gzip;q=0.5");
  const auto out = render(json_response(body), input, true);
  CHECK(header(out, "Content-Encoding") == "gzip");
  CHECK(header(out, "Content-Length") == std::to_string(out.body().size()));
  CHECK(unpacked(out.body()) == body);
  CHECK(render(json_response("short"), input, true).body() == "short");
}

TEST_CASE("what is accepted") {
  CHECK(accepts_gzip("gzip"));
  CHECK(accepts_gzip("deflate, GZIP ;q=1.0"));
  CHECK(accepts_gzip("*"));
  CHECK(!accepts_gzip(""));
  CHECK(!accepts_gzip("gzip;q=0"));
  CHECK(!accepts_gzip("gzip;q=0.000, br"));
  CHECK(!accepts_gzip("xgzip"));
}

TEST_CASE("texts of the program are kept until they change") {
  const auto routes = two_routes();
  const auto decision = decide(asked(http::verb::get, "/page"), false, at_home, routes);
  web_response response;
  decision.route->handler(decision.request, web_reply{[&](web_response r) { response = r; }});
  auto input = asked(http::verb::get, "/page");
  const auto first = render(response, input, true);
  CHECK(first.body().size() == 5000);
  input.set(http::field::if_none_match, header(first, "ETag"));
  const auto second = render(response, input, true);
  CHECK(second.result_int() == 304);
  CHECK(second.body().empty());
  input.set(http::field::if_none_match, "\"other\"");
  CHECK(render(response, input, true).result_int() == 200);
}

TEST_CASE("HEAD tells the length only") {
  const auto out = render(json_response("12345"), asked(http::verb::head, "/a"), true);
  CHECK(out.body().empty());
  CHECK(header(out, "Content-Length") == "5");
}

TEST_CASE("a reply that is dropped is an error") {
  web_response got;
  {
    const web_reply dropped{[&](web_response r) { got = std::move(r); }};
  }
  CHECK(got.status == 500);
  const web_reply twice{[&](web_response r) { got = std::move(r); }};
  twice(json_response("1"));
  twice(json_response("2"));
  CHECK(got.body == "1");
}
