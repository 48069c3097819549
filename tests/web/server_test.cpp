#include "web/client.hpp"
#include "web/server.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <future>
#include <thread>
#include <vector>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

struct served {
  explicit served(const web_limits& limits = {}) {
    auto routes = std::make_shared<route_table>();
    routes->get("/echo",
                [](const web_request& r) { return json_response(r.value("x", "nothing")); });
    routes->post("/echo", [](const web_request& r) { return json_response(r.body); });
    routes->get("/broken", [](const web_request&) -> web_response {
      throw std::runtime_error("out of order");
    });
    routes->add("GET", "/later",
                [this](const web_request&, const web_reply& reply) { kept.set_value(reply); });
    routes->events("/events", feed);
    web_options options;
    options.limits = limits;
    server.emplace(options, routes);
  }

  std::promise<web_reply> kept;
  std::shared_ptr<event_feed> feed =
    std::make_shared<event_feed>([] { return std::string{"all"}; });
  std::optional<web_server> server;
};

std::string post_text(const std::string& body, const std::string& more = "") {
  return "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + more +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

void wait_for(const std::function<bool()>& holds) {
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (!holds() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  CHECK(holds());
}

} // namespace

TEST_CASE("one connection serves many requests") {
  served s;
  web_client client{s.server->port()};
  for (int i = 0; i < 5; ++i) {
    client.send(get_text("/echo?x=" + std::to_string(i)));
    CHECK(client.receive().body() == std::to_string(i));
  }
  client.send(get_text("/echo?x=a") + get_text("/echo?x=b"));
  CHECK(client.receive().body() == "a");
  CHECK(client.receive().body() == "b");
  client.send(post_text("{\"a\": 1}"));
  CHECK(client.receive().body() == "{\"a\": 1}");
  client.send("HEAD /echo?x=four HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const auto head = client.receive(true);
  CHECK(head["Content-Length"] == "4");
  client.send(get_text("/echo", "Connection: close\r\n"));
  CHECK(client.receive().body() == "nothing");
  CHECK(client.read_all().empty());
}

TEST_CASE("errors do not end the server") {
  served s;
  web_client client{s.server->port()};
  client.send(get_text("/nowhere"));
  const auto missing = client.receive();
  CHECK(missing.result_int() == 404);
  CHECK(nlohmann::json::parse(missing.body()).at("error") == "there is no /nowhere");
  client.send(get_text("/broken"));
  const auto broken = client.receive();
  CHECK(broken.result_int() == 500);
  CHECK(nlohmann::json::parse(broken.body()).at("error") == "out of order");
  web_client rude{s.server->port()};
  rude.send("nonsense\r\n\r\n");
  CHECK(rude.receive().result_int() == 400);
  CHECK(rude.read_all().empty());
}

TEST_CASE("too much is refused") {
  web_limits limits;
  limits.body_bytes = 100;
  served s{limits};
  web_client body{s.server->port()};
  body.try_to_send(post_text(std::string(101, ' ')));
  CHECK(body.receive().result_int() == 413);
  web_client head{s.server->port()};
  head.try_to_send(get_text("/echo", "X: " + std::string(20'000, 'x') + "\r\n"));
  CHECK(head.receive().result_int() == 431);
}

TEST_CASE("an answer may come later, from another thread, or never") {
  web_limits limits;
  limits.answer = 50ms;
  SUBCASE("in time") {
    served s;
    web_client client{s.server->port()};
    client.send(get_text("/later"));
    auto reply = s.kept.get_future().get();
    std::thread other{[&] { reply(json_response("done")); }};
    CHECK(client.receive().body() == "done");
    other.join();
  }
  SUBCASE("too late") {
    served s{limits};
    web_client client{s.server->port()};
    client.send(get_text("/later"));
    const auto reply = s.kept.get_future().get();
    CHECK(client.receive().result_int() == 504);
    reply(json_response("done"));
    CHECK(client.read_all().empty());
  }
  SUBCASE("after the server's end") {
    std::optional<web_reply> reply;
    {
      served s;
      web_client client{s.server->port()};
      client.send(get_text("/later"));
      reply = s.kept.get_future().get();
    }
    (*reply)(json_response("done"));
  }
}

TEST_CASE("events flow, and a client that leaves is forgotten") {
  served s;
  {
    web_client client{s.server->port()};
    client.send(get_text("/events"));
    const auto head = client.read_until("\r\n\r\n");
    CHECK(head.find("text/event-stream") != std::string::npos);
    CHECK(client.read_until("data: all\n\n").find("event: hello") != std::string::npos);
    s.feed->publish("tick", "7", event_kind::news);
    CHECK(client.read_until("data: 7\n\n").find("event: tick") != std::string::npos);
  }
  wait_for([&] { return s.feed->readers() == 0; });
}

TEST_CASE("the end of a stream closes its connections") {
  served s;
  web_client client{s.server->port()};
  client.send(get_text("/events"));
  client.read_until("data: all\n\n");
  s.feed->publish("bye", "0", event_kind::news);
  s.feed->close();
  CHECK(client.read_all().find("event: bye") != std::string::npos);
}

TEST_CASE("a silent stream has comments") {
  web_limits limits;
  limits.silence = 1ms;
  served s{limits};
  web_client client{s.server->port()};
  client.send(get_text("/events"));
  client.read_until("data: all\n\n");
  client.read_until(":\n\n:\n\n");
}

TEST_CASE("a reader that does not read costs nothing, and gets the newest later") {
  web_limits limits;
  limits.write = 60s;
  served s{limits};
  web_client client{s.server->port()};
  client.send(get_text("/events"));
  client.read_until("data: all\n\n");
  // More than the buffers of sockets hold.
  const std::string large(100'000, 'x');
  for (int i = 0; i < 200; ++i)
    s.feed->publish("state", large, event_kind::newest);
  s.feed->publish("state", "last", event_kind::newest);
  client.read_until("data: last\n\n");
}

TEST_CASE("a client that takes nothing is disconnected") {
  web_limits limits;
  limits.write = 50ms;
  served s{limits};
  web_client client{s.server->port()};
  client.socket().set_option(tcp::socket::receive_buffer_size{4096});
  client.send(get_text("/events"));
  client.read_until("data: all\n\n");
  const std::string large(20'000'000, 'x');
  s.feed->publish("state", large, event_kind::newest);
  wait_for([&] { return s.feed->readers() == 0; });
}

TEST_CASE("streams and connections are limited") {
  web_limits limits;
  limits.event_streams = 2;
  limits.connections = 4;
  served s{limits};
  std::vector<std::unique_ptr<web_client>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<web_client>(s.server->port()));
    clients.back()->send(get_text("/events"));
    if (i < 2)
      clients.back()->read_until("data: all\n\n");
  }
  CHECK(clients.back()->receive().result_int() == 503);
  clients.pop_back();
  // Idle ones make room for new ones, and streams go on.
  web_client idle{s.server->port()};
  idle.send(get_text("/echo"));
  idle.receive();
  std::vector<std::unique_ptr<web_client>> more;
  for (int i = 0; i < 5; ++i) {
    more.push_back(std::make_unique<web_client>(s.server->port()));
    more.back()->send(get_text("/echo?x=y"));
    CHECK(more.back()->receive().body() == "y");
  }
  CHECK(idle.read_all().empty());
  s.feed->publish("tick", "7", event_kind::news);
  for (auto& client : clients)
    client->read_until("data: 7\n\n");
}

TEST_CASE("slow clients are disconnected") {
  web_limits limits;
  limits.request = 50ms;
  served s{limits};
  web_client silent{s.server->port()};
  CHECK(silent.read_all().empty());
  web_client slow{s.server->port()};
  slow.send("GET /echo HTTP/1.1\r\nHost: loc");
  slow.read_all();
}

TEST_CASE("a flood is slowed down and refused") {
  web_limits limits;
  limits.requests_per_second = 10;
  limits.requests_at_once = 3;
  limits.longest_wait = 100ms;
  served s{limits};
  std::vector<std::unique_ptr<web_client>> clients;
  for (int i = 0; i < 12; ++i) {
    clients.push_back(std::make_unique<web_client>(s.server->port()));
    clients.back()->send(get_text("/echo"));
  }
  int served_ones = 0;
  int refused = 0;
  for (auto& client : clients) {
    const auto status = client->receive().result_int();
    served_ones += status == 200 ? 1 : 0;
    refused += status == 429 ? 1 : 0;
  }
  CHECK(served_ones + refused == 12);
  CHECK(served_ones >= 4);
  CHECK(refused >= 1);
}

TEST_CASE("only loopback needs no protection") {
  const auto routes = std::make_shared<route_table>();
  web_options options;
  options.host = "0.0.0.0";
  CHECK_THROWS_WITH(web_server(options, routes),
                    "0.0.0.0 is not an address of loopback, so others can reach it; expected a "
                    "certificate for TLS, or 127.0.0.1");
  options.host = "127.0.0.1";
  web_server first{options, routes};
  CHECK(first.url() == "http://127.0.0.1:" + std::to_string(first.port()) + "/");
  options.port = first.port();
  CHECK_THROWS_AS(web_server(options, routes), std::runtime_error);
}

TEST_CASE("addresses as they are written") {
  web_options options;
  CHECK(read_address("localhost:8080", options).empty());
  CHECK(options.host == "localhost");
  CHECK(options.port == 8080);
  CHECK(read_address(":9", options).empty());
  CHECK(options.host == "localhost");
  CHECK(options.port == 9);
  CHECK(read_address("[::1]:7", options).empty());
  CHECK(options.host == "[::1]");
  CHECK(read_address("127.0.0.2", options).empty());
  CHECK(options.host == "127.0.0.2");
  CHECK(options.port == 7);
  CHECK(read_address("a:8x", options) == "the port is '8x'; expected a number from 0 to 65535");
  CHECK(!read_address("a:65536", options).empty());
  CHECK(!read_address("a:", options).empty());
  CHECK(!read_address("::1:7", options).empty());
}
