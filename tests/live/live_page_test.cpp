#include "live/live_builders.hpp"
#include "live/live_page.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <set>

using namespace troupe;
using nlohmann::json;

namespace {

struct shown_run {
  explicit shown_run(bool with_clock = true) {
    board->begin(about);
    live_sources from;
    from.board = board;
    if (with_clock)
      from.clock = page_clock_controls{
        [this] { return clock; }, [this] { clock.paused = true; }, [this] { clock.paused = false; },
        [this](std::uint64_t n) { steps += n; }, [this](double speed) { clock.speed = speed; }};
    page = std::make_unique<live_page>(std::move(from));
    page->mount(routes);
  }

  web_response ask(const std::string& method, const std::string& path,
                   const std::string& body = "") {
    const auto match = routes.find(method, path);
    REQUIRE(match.found != nullptr);
    web_response response;
    web_request request{method, path, {}, match.parts, body};
    match.found->handler(request, web_reply{[&](web_response r) { response = std::move(r); }});
    return response;
  }

  json next(event_feed::reader& reader, std::string& name) {
    const auto text = reader.next();
    name = text.substr(7, text.find('\n') - 7);
    const auto from = text.find("data: ") + 6;
    return json::parse(text.substr(from, text.find('\n', from) - from));
  }

  const live_about about = about_run(2, 1, 3);
  std::shared_ptr<live_board> board = std::make_shared<live_board>();
  page_clock clock;
  std::uint64_t steps = 0;
  std::unique_ptr<live_page> page;
  route_table routes;
};

} // namespace

TEST_CASE("a new reader gets the whole state, then the news") {
  shown_run s;
  s.board->add(sample_of_second(s.about, 1));
  s.page->refresh(true);
  const auto feed = s.routes.find("GET", "/api/v1/events").found->feed;
  auto reader = event_feed::join(feed, "", [] {});
  std::string name;
  const auto hello = s.next(reader, name);
  CHECK(name == "hello");
  CHECK(hello["about"]["name"] == "a <name>");
  CHECK(hello["rows"].size() == 1);
  CHECK(hello["totals"]["placed"] == 10);
  CHECK(hello["clock"]["speed"] == "max");
  s.board->add(sample_of_second(s.about, 2));
  s.page->refresh(true);
  const auto tick = s.next(reader, name);
  CHECK(name == "tick");
  CHECK(tick["rows"].size() == 1);
  CHECK(tick["rows"][0][0] == 2);
  CHECK(tick["totals"]["placed"] == 20);
  s.page->end();
  CHECK(s.next(reader, name)["over"] == true);
}

TEST_CASE("without readers nothing is rendered, and no row is lost") {
  shown_run s;
  s.board->add(sample_of_second(s.about, 1));
  s.page->refresh(true);
  s.board->add(sample_of_second(s.about, 2));
  const auto feed = s.routes.find("GET", "/api/v1/events").found->feed;
  auto reader = event_feed::join(feed, "", [] {});
  std::string name;
  CHECK(s.next(reader, name)["rows"].size() == 2);
  CHECK(reader.next().empty());
}

TEST_CASE("commands change the clock, and everything else is refused") {
  shown_run s;
  const auto command = [&](const std::string& body) {
    return s.ask("POST", "/api/v1/control", body);
  };
  CHECK(json::parse(command(R"({"pause": true})").body) ==
        json::parse(R"({"paused": true, "speed": "max"})"));
  CHECK(s.clock.paused);
  CHECK(command(R"({"step": 3})").status == 200);
  CHECK(s.steps == 3);
  CHECK(json::parse(command(R"({"speed": 10})").body)["speed"] == 10);
  CHECK(json::parse(command(R"({"speed": "max"})").body)["speed"] == "max");
  CHECK(command(R"({"pause": false})").status == 200);
  CHECK(!s.clock.paused);
  for (const auto* wrong :
       {"", "[]", "{}", R"({"pause": 1})", R"({"step": 0})", R"({"step": -1})", R"({"step": 1.5})",
        R"({"speed": 0})", R"({"speed": 1e9})", R"({"speed": "fast"})", R"({"stop": true})",
        R"({"pause": true, "step": 1})"})
    CHECK_MESSAGE(command(wrong).status == 400, wrong);
  shown_run real{false};
  CHECK(real.ask("POST", "/api/v1/control", R"({"pause": true})").status == 409);
}

TEST_CASE("what there is not says why") {
  shown_run s;
  CHECK(s.ask("GET", "/api/v1/explain").status == 501);
  CHECK(s.ask("GET", "/metrics").status == 501);
  CHECK(s.ask("GET", "/api/v1/schedulers/9/ages").status == 404);
  CHECK(s.ask("GET", "/api/v1/schedulers/x/ages").status == 404);
  CHECK(s.ask("GET", "/api/v1/schedulers/1/ages").status == 200);
}

TEST_CASE("every route is described, and every description has a route") {
  shown_run s;
  const auto described = json::parse(s.ask("GET", "/api/v1/openapi.json").body);
  std::set<std::string> there;
  for (const auto& [path, methods] : described["paths"].items())
    for (const auto& [method, what] : methods.items())
      if (!path.starts_with("/api/v1/jobs") &&
          path != "/api/v1/machines" && // see the tests of jobs
          path != "/api/v1/policies")   // and of nodes
        there.insert(method + ' ' + path);
  std::set<std::string> served;
  for (const auto& route : s.routes.all())
    served.insert((route.method == "GET" ? "get " : "post ") + route.path);
  CHECK(there == served);
  route_table without;
  mount_without_run(without, [] { return error_response(503, "this node is a standby"); });
  std::set<std::string> refused;
  for (const auto& route : without.all())
    refused.insert((route.method == "GET" ? "get " : "post ") + route.path);
  CHECK(refused == served);
}

TEST_CASE("the page of a server that shows no run is open to everyone, and its data are refused") {
  shown_run s;
  route_table without;
  mount_without_run(without, [] { return error_response(503, "this node is a standby"); });
  for (const auto& route : s.routes.all()) {
    CAPTURE(route.path);
    const auto other = without.find(route.method, route.path).found;
    REQUIRE(other != nullptr);
    CHECK(other->access == route.access);
    if (other->feed)
      continue;
    web_response response;
    other->handler(web_request{route.method, route.path, {}, {}, ""},
                   web_reply{[&](web_response r) { response = std::move(r); }});
    CHECK(response.status == (route.access == route_access::everyone ? 200 : 503));
  }
}

TEST_CASE("the page has its plots, and no text of it can end its data") {
  shown_run s;
  const auto page = s.ask("GET", "/").body;
  CHECK(page.find("\"scheduling_delay_p99_s\"") != std::string::npos);
  CHECK(page.find("@DATA@") == std::string::npos);
}

TEST_CASE("what a reader of a large cluster gets stays small") {
  const auto about = about_run(300, 100, 4000);
  const auto board = std::make_shared<live_board>();
  board->begin(about);
  live_sources from;
  from.board = board;
  live_page page{std::move(from)};
  route_table routes;
  page.mount(routes);
  auto reader = event_feed::join(routes.find("GET", "/api/v1/events").found->feed, "", [] {});
  reader.next();
  for (int n = 1; n <= 100; ++n)
    board->add(sample_of_second(about, n));
  page.refresh(true);
  // A tick and the details: the first comes four times a second, the second once.
  const auto text = reader.next();
  const auto tick = text.find("event: details");
  CHECK(4 * tick + (text.size() - tick) < 50'000);
}
