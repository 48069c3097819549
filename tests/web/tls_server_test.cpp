#include "client.hpp"
#include "security/authority.hpp"
#include "web/beast.hpp"
#include "web/http_client.hpp"
#include "web/server.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <unistd.h>

using namespace troupe;
namespace fs = std::filesystem;
namespace http = beast::http;

namespace {

const std::string secret(40, 's');

struct encrypted {
  encrypted() {
    fs::create_directories(folder);
    const auto now = std::chrono::system_clock::now();
    const auto ca = authority::create(folder / "ca", now);
    own = ca.issue({"node-1", {"master"}}, std::chrono::days{10}, now);
    client = ca.issue({"laptop"}, std::chrono::days{10}, now);
    const auto other = authority::create(folder / "other", now);
    stranger = other.issue({"laptop"}, std::chrono::days{10}, now);
    auto routes = std::make_shared<route_table>();
    routes->get("/data", [](const web_request&) { return json_response("\"data\""); });
    web_options options;
    options.tls = tls_files{own.certificate, own.key, folder / "ca" / "ca.crt"};
    options.token = secret;
    server.emplace(options, routes);
  }
  ~encrypted() { fs::remove_all(folder); }

  /// Returns the status of the response, or 0 if there is none.
  unsigned ask(const certificate_files* with, const std::string& token) const {
    asio::io_context io;
    asio::ssl::context tls{asio::ssl::context::tls_client};
    tls.load_verify_file((folder / "ca" / "ca.crt").string());
    if (with != nullptr) {
      tls.use_certificate_chain_file(with->certificate.string());
      tls.use_private_key_file(with->key.string(), asio::ssl::context::pem);
    }
    beast::ssl_stream<tcp::socket> line{io, tls};
    line.set_verify_mode(asio::ssl::verify_peer);
    line.next_layer().connect({asio::ip::make_address("127.0.0.1"), server->port()});
    asio_error error;
    line.handshake(asio::ssl::stream_base::client, error);
    if (error)
      return 0;
    http::request<http::empty_body> request{http::verb::get, "/data", 11};
    request.set(http::field::host, "node-1");
    if (!token.empty())
      request.set(http::field::authorization, "Bearer " + token);
    http::write(line, request, error);
    beast::flat_buffer buffer;
    http::response<http::string_body> response;
    http::read(line, buffer, response, error);
    return error ? 0 : response.result_int();
  }

  fs::path folder = fs::temp_directory_path() / ("troupe-tls-" + std::to_string(::getpid()));
  certificate_files own;
  certificate_files client;
  certificate_files stranger;
  std::optional<web_server> server;
};

} // namespace

TEST_CASE("a token or a certificate of the authority opens an encrypted server") {
  const encrypted s;
  CHECK(s.server->url().starts_with("https://127.0.0.1:"));
  CHECK(s.server->url().ends_with("/#token=" + secret));
  CHECK(s.ask(nullptr, secret) == 200);
  CHECK(s.ask(&s.client, "") == 200);
  CHECK(s.ask(nullptr, "") == 401);
  CHECK(s.ask(nullptr, std::string(40, 't')) == 401);
  CHECK(s.ask(&s.stranger, secret) == 0);
  CHECK(s.ask(&s.own, "") == 401); // a node's
  CHECK(s.ask(&s.own, secret) == 200);
}

TEST_CASE(
  "without certificates a client sends its token to no server that the host does not trust") {
  const encrypted s;
  const auto to = api_address::read(s.server->url());
  REQUIRE(to);
  http_client trusting{*to,
                       tls_files{s.client.certificate, s.client.key, s.folder / "ca" / "ca.crt"}};
  CHECK(trusting.send("GET", "/data").status == 200);
  http_client wary{*to, std::nullopt};
  try {
    wary.send("GET", "/data");
    FAIL("it has an answer");
  } catch (const no_answer& e) {
    CHECK(std::string{e.what()}.find("certificate verify failed") != std::string::npos);
    CHECK(std::string{e.what()}.find("expected --certs") != std::string::npos);
  }
}

TEST_CASE("a request without TLS is told what an encrypted server expects") {
  const encrypted s;
  for (const std::string method : {"GET", "POST", "HEAD"}) {
    CAPTURE(method);
    web_client plain{s.server->port()};
    plain.send(method + " /data HTTP/1.1\r\nHost: node-1\r\nAuthorization: Bearer " + secret +
               "\r\nContent-Length: 0\r\n\r\n");
    const auto answer = plain.receive();
    CHECK(answer.result_int() == 400);
    CHECK(answer.body().find("https://") != std::string::npos);
    CHECK(plain.read_all().empty());
  }
  web_client other{s.server->port()};
  other.try_to_send("SSH-2.0-OpenSSH_9.2\r\n");
  CHECK(other.read_all().find("HTTP") == std::string::npos);
  CHECK(s.ask(nullptr, secret) == 200);
}

TEST_CASE("every address may be listened on with TLS and a token") {
  const encrypted s;
  const auto routes = std::make_shared<route_table>();
  web_options options;
  options.host = "0.0.0.0";
  options.tls = tls_files{s.own.certificate, s.own.key, s.folder / "ca" / "ca.crt"};
  CHECK_THROWS_WITH(web_server(options, routes),
                    "0.0.0.0 is not an address of loopback, so others can reach it; expected a "
                    "token, or 127.0.0.1");
  options.token = secret;
  const web_server server{options, routes};
  CHECK(server.port() != 0);
}
