// Requests over HTTP. The server answers every input with a response that a client can read, and
// tells no data to clients without the token.
#include "fuzz/input.hpp"
#include "web/exchange.hpp"

#include <string>

using namespace troupe;
namespace http = boost::beast::http;

namespace {

route_table some_routes() {
  route_table routes;
  routes.get("/api/v1/state", [](const web_request&) { return json_response("{}"); });
  routes.get("/api/v1/jobs/{job}",
             [](const web_request& r) { return json_response(r.parts.at("job")); });
  routes.post("/api/v1/control", [](const web_request& r) { return json_response(r.body); });
  routes.events("/api/v1/events", std::make_shared<event_feed>([] { return std::string{"{}"}; }));
  routes.text("/", "text/html", std::string(2000, 'x'));
  return routes;
}

/// Serves one request off `bytes`; returns whether another one may follow.
bool serve(std::string& bytes, const web_access& access, const route_table& routes) {
  http_parser parser;
  parser.eager(true);
  web_limits limits;
  limits.header_bytes = 1024;
  limits.body_bytes = 512;
  limit(parser, limits);
  boost::system::error_code error;
  const auto used = parser.put(asio::buffer(bytes), error);
  if (error == http::error::need_more)
    return false;
  web_response response;
  bool trusted = false;
  if (error) {
    response = unreadable(error);
  } else {
    auto decision = decide(parser.get(), false, access, routes);
    response = std::move(decision.refusal);
    trusted = decision.route != nullptr && decision.route->access == route_access::trusted;
    if (decision.route != nullptr && !decision.route->feed)
      decision.route->handler(decision.request,
                              web_reply{[&](web_response made) { response = std::move(made); }});
  }
  fuzz::require(access.token.empty() || !trusted ||
                  parser.get()[http::field::authorization].find(access.token) !=
                    boost::beast::string_view::npos,
                "nothing is served without the token");
  const auto out = render(response, parser.get(), true);
  fuzz::require(out.result_int() >= 200 && out.result_int() < 600, "the status is one");
  for (const auto& field : out)
    fuzz::require(field.value().find_first_of("\r\n") == boost::beast::string_view::npos,
                  "no header has a line break");
  bytes.erase(0, used);
  return !error && used > 0;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto routes = some_routes();
  std::span<const std::uint8_t> in{data, size};
  const bool with_token = (fuzz::take_byte(in) & 1) != 0;
  const web_access access{with_token, {"localhost"}, with_token ? std::string(32, 't') : ""};
  auto bytes = fuzz::text_of(in);
  while (!bytes.empty() && serve(bytes, access, routes)) {
  }
  return 0;
}
