#include "web/exchange.hpp"

#include "web/gzip.hpp"
#include "web/target.hpp"

#include <algorithm>
#include <ctime>

namespace troupe {

namespace http = beast::http;

namespace {

/// A shorter body fits into one packet anyway.
constexpr std::size_t least_packed = 1400;

constexpr std::pair<const char*, const char*> protective[] = {
  {"Content-Security-Policy",
   "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' "
   "data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
  {"X-Content-Type-Options", "nosniff"},
  {"X-Frame-Options", "DENY"},
  {"Referrer-Policy", "no-referrer"},
  {"Cross-Origin-Resource-Policy", "same-origin"},
  {"Cross-Origin-Opener-Policy", "same-origin"},
};

std::string_view view(beast::string_view text) {
  return {text.data(), text.size()};
}

std::string http_date() {
  const auto now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[40];
  const auto size = std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text, size};
}

/// Returns whether a header If-None-Match has this tag (RFC 9110, section 13.1.2).
bool has_tag(std::string_view header, std::string_view tag) {
  return header == "*" || header.find(tag) != std::string_view::npos;
}

} // namespace

void limit(http_parser& parser, const web_limits& limits) {
  parser.header_limit(limits.header_bytes);
  parser.body_limit(limits.body_bytes);
}

web_decision decide(const http_input& input, bool certified, const web_access& access,
                    const route_table& routes) {
  web_decision out;
  auto method = std::string{view(input.method_string())};
  const web_credentials credentials{method,
                                    view(input[http::field::host]),
                                    view(input[http::field::origin]),
                                    view(input[http::field::authorization]),
                                    view(input[http::field::content_type]),
                                    certified};
  if (input.count(http::field::host) > 1) {
    out.refusal = error_response(400, "the request has several headers Host");
    return out;
  }
  if (auto why = why_refused(access, credentials)) {
    out.refusal = std::move(*why);
    return out;
  }
  auto target = read_target(view(input.target()));
  if (!target) {
    out.refusal = error_response(400, "the target of the request is malformed; expected a path, "
                                      "such as /api/v1/state?x=1");
    return out;
  }
  auto match = routes.find(method == "HEAD" ? "GET" : method, target->path);
  if (match.found == nullptr && match.methods.empty()) {
    out.refusal = error_response(404, "there is no " + target->path);
    return out;
  }
  const bool open = match.found != nullptr && match.found->access == route_access::everyone;
  if (!open) {
    if (auto why = why_not_trusted(access, credentials)) {
      out.refusal = std::move(*why);
      return out;
    }
  }
  if (match.found == nullptr) {
    out.refusal = error_response(405, target->path + " has no " + method + "; expected one of " +
                                        match.methods);
    out.refusal.headers.emplace_back("Allow", match.methods);
    return out;
  }
  out.route = match.found;
  out.request = {method == "HEAD" ? "GET" : std::move(method),
                 std::move(target->path),
                 std::move(target->query),
                 std::move(match.parts),
                 input.body(),
                 std::string{view(input["Idempotency-Key"])}};
  return out;
}

web_response unreadable(const asio_error& why) {
  if (why == http::error::header_limit)
    return error_response(431, "the header of the request is too long");
  if (why == http::error::body_limit)
    return error_response(413, "the body of the request is too long");
  return error_response(400, "the request is not HTTP/1.1: " + why.message());
}

http_output render(web_response response, const http_input& input, bool keep_alive) {
  http_output out;
  out.version(11);
  out.result(response.status);
  out.set(http::field::date, http_date());
  for (const auto& [name, value] : protective)
    out.set(name, value);
  for (const auto& [name, value] : response.headers)
    out.set(name, value);
  out.keep_alive(keep_alive);
  if (response.etag.empty()) {
    out.set(http::field::cache_control, "no-store");
  } else {
    out.set(http::field::cache_control, "no-cache");
    out.set(http::field::etag, response.etag);
    out.set(http::field::vary, "Accept-Encoding");
    if (response.status == 200 && has_tag(view(input[http::field::if_none_match]), response.etag)) {
      out.result(http::status::not_modified);
      return out;
    }
  }
  out.set(http::field::content_type, response.type);
  if (response.body.size() >= least_packed &&
      accepts_gzip(view(input[http::field::accept_encoding]))) {
    if (response.packed.empty())
      response.packed = gzip_text(response.body, gzip_effort::often);
    if (!response.packed.empty()) {
      out.set(http::field::content_encoding, "gzip");
      out.set(http::field::vary, "Accept-Encoding");
      response.body = std::move(response.packed);
    }
  }
  out.content_length(response.body.size());
  if (input.method() != http::verb::head)
    out.body() = std::move(response.body);
  return out;
}

std::string event_stream_head() {
  std::string text = "HTTP/1.1 200 OK\r\n"
                     "Content-Type: text/event-stream; charset=utf-8\r\n"
                     "Cache-Control: no-store\r\n"
                     "X-Accel-Buffering: no\r\n"
                     "Connection: close\r\n";
  text += "Date: " + http_date() + "\r\n";
  for (const auto& [name, value] : protective)
    text += std::string{name} + ": " + value + "\r\n";
  return text + "\r\nretry: 2000\n\n";
}

} // namespace troupe
