#include "web/http_client.hpp"

#include "security/tls_setup.hpp"
#include "web/beast.hpp"

#include <algorithm>
#include <cctype>

namespace troupe {

namespace http = beast::http;

namespace {

constexpr std::uint64_t longest_body = std::uint64_t{64} << 20;

/// Removes `start` from the front of a text, if it is there.
bool skip(std::string& text, const std::string& start) {
  if (!text.starts_with(start))
    return false;
  text.erase(0, start.size());
  return true;
}

} // namespace

std::optional<api_address> api_address::read(const std::string& url) {
  auto rest = url;
  api_address to;
  to.encrypted = skip(rest, "https://");
  if (!to.encrypted && !skip(rest, "http://"))
    return std::nullopt;
  to.port = to.encrypted ? "443" : "80";
  if (const auto hash = rest.find('#'); hash != std::string::npos) {
    auto fragment = rest.substr(hash + 1);
    rest.erase(hash);
    if (skip(fragment, "token="))
      to.token = fragment;
  }
  if (const auto slash = rest.find('/'); slash != std::string::npos)
    rest.erase(slash);
  if (const auto colon = rest.rfind(':');
      colon != std::string::npos && rest.find(']', colon) == std::string::npos) {
    to.port = rest.substr(colon + 1);
    rest.erase(colon);
  }
  const bool digits = !to.port.empty() && std::ranges::all_of(to.port, [](unsigned char c) {
    return std::isdigit(c) != 0;
  });
  if (rest.empty() || !digits)
    return std::nullopt;
  to.host = rest;
  return to;
}

/// One connection, encrypted or not. Each step may take so long.
class http_client::connection {
public:
  connection(const api_address& to, const std::optional<tls_files>& files,
             std::chrono::milliseconds patience)
    : encrypted_(to.encrypted) {
    auto host = to.host;
    std::erase_if(host, [](char c) { return c == '[' || c == ']'; });
    if (encrypted_)
      trust(host, files);
    stream_.emplace(io_, tls_);
    tcp::resolver resolver{io_};
    const auto found = resolver.resolve(host, to.port);
    step(patience, [&](auto done) {
      beast::get_lowest_layer(*stream_).async_connect(
        found, [done](const asio_error& e, const tcp::endpoint&) { done(e); });
    });
    if (encrypted_)
      step(patience,
           [&](auto done) { stream_->async_handshake(asio::ssl::stream_base::client, done); });
  }

  http::response<http::string_body> exchange(const http::request<http::string_body>& request,
                                             std::chrono::milliseconds patience) {
    http::response_parser<http::string_body> parser;
    parser.body_limit(longest_body);
    const auto both = [&](auto& over) {
      step(patience, [&](auto done) {
        http::async_write(over, request, [done](const asio_error& e, std::size_t) { done(e); });
      });
      step(patience, [&](auto done) {
        http::async_read(over, buffer_, parser,
                         [done](const asio_error& e, std::size_t) { done(e); });
      });
    };
    if (encrypted_)
      both(*stream_);
    else
      both(stream_->next_layer());
    return parser.release();
  }

private:
  /// A server has a certificate of the cluster's authority, or else, with no files, one of an
  /// authority that the host trusts, for its own name.
  void trust(const std::string& host, const std::optional<tls_files>& files) {
    tls_.set_verify_mode(asio::ssl::verify_peer);
    if (files)
      return set_up_tls(tls_.native_handle(), *files, TLS1_2_VERSION);
    tls_.set_default_verify_paths();
    tls_.set_verify_callback(asio::ssl::host_name_verification{host});
  }

  /// Carries out one step; throws what went wrong.
  template <class Start>
  void step(std::chrono::milliseconds patience, Start start) {
    asio_error result = asio::error::would_block;
    beast::get_lowest_layer(*stream_).expires_after(patience);
    start([&result](const asio_error& e) { result = e; });
    io_.restart();
    io_.run();
    if (result)
      throw boost::system::system_error(result);
  }

  bool encrypted_;
  asio::io_context io_;
  asio::ssl::context tls_{asio::ssl::context::tls_client};
  std::optional<beast::ssl_stream<beast::tcp_stream>> stream_;
  beast::flat_buffer buffer_;
};

http_client::http_client(api_address to, const std::optional<tls_files>& files)
  : to_(std::move(to)), files_(files) {}

http_client::~http_client() = default;

http_answer http_client::send(const std::string& method, const std::string& target,
                              const std::string& body,
                              const std::map<std::string, std::string>& headers,
                              std::chrono::milliseconds patience) {
  http::request<http::string_body> request;
  request.method_string(method);
  request.target(target);
  request.set(http::field::host, to_.host + ':' + to_.port);
  request.set(http::field::user_agent, "troupe");
  if (!to_.token.empty())
    request.set(http::field::authorization, "Bearer " + to_.token);
  if (!body.empty())
    request.set(http::field::content_type, "application/json");
  for (const auto& [name, value] : headers)
    request.set(name, value);
  request.body() = body;
  request.prepare_payload();
  const bool reused = connection_ != nullptr;
  try {
    if (!connection_)
      connection_ = std::make_unique<connection>(to_, files_, patience);
    const auto response = connection_->exchange(request, patience);
    http_answer answer{response.result_int(), response.body(), {}};
    for (const auto& field : response) {
      std::string name{field.name_string()};
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
      answer.headers[name] = std::string{field.value()};
    }
    if (!response.keep_alive())
      connection_.reset();
    return answer;
  } catch (const boost::system::system_error& e) {
    connection_.reset();
    // A server may close an idle connection at any time.
    if (reused && e.code() != beast::error::timeout)
      return send(method, target, body, headers, patience);
    const bool distrusts = !files_ && e.code().category() == asio::error::get_ssl_category();
    throw no_answer{"no answer from " + to_.host + ':' + to_.port + ": " + e.code().message() +
                    (distrusts ? "; expected --certs, a directory with ca.crt of the cluster, or "
                                 "a certificate that this host trusts"
                               : "")};
  }
}

} // namespace troupe
