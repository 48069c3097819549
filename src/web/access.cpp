#include "web/access.hpp"

#include "web/beast.hpp"
#include "web/token.hpp"

#include <algorithm>
#include <cctype>

namespace troupe {

namespace {

constexpr std::string_view bearer = "bearer ";

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool is_address(const std::string& host) {
  asio_error error;
  asio::ip::make_address(host, error);
  return !error;
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_json(std::string_view content_type) {
  const auto kind = lower(content_type.substr(0, content_type.find(';')));
  return kind.substr(0, kind.find_last_not_of(" \t") + 1) == "application/json";
}

} // namespace

std::string host_of(std::string_view header) {
  if (header.starts_with('[')) {
    const auto end = header.find(']');
    if (end == std::string_view::npos)
      return {};
    const auto rest = header.substr(end + 1);
    if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1))))
      return {};
    return lower(header.substr(1, end - 1));
  }
  const auto colon = header.find(':');
  if (colon != std::string_view::npos && !is_port(header.substr(colon + 1)))
    return {};
  return lower(header.substr(0, colon));
}

std::optional<web_response> why_refused(const web_access& access, const web_credentials& of) {
  const auto host = host_of(of.host);
  if (host.empty())
    return error_response(400, "the request has no valid header Host");
  if (!access.hosts.contains(host) && !is_address(host))
    return error_response(421, "'" + host +
                                 "' is not a name of this server; expected an address, "
                                 "localhost, or the name that it was started with");
  if (of.method == "GET" || of.method == "HEAD")
    return std::nullopt;
  const auto own = (access.encrypted ? "https://" : "http://") + lower(of.host);
  if (!of.origin.empty() && lower(of.origin) != own)
    return error_response(403, "the request comes from a page of another site");
  if (of.method == "POST" && !is_json(of.content_type))
    return error_response(415, "the body of a POST has to be JSON; expected the header "
                               "Content-Type: application/json");
  return std::nullopt;
}

std::optional<web_response> why_not_trusted(const web_access& access, const web_credentials& of) {
  if (access.token.empty() || of.certified)
    return std::nullopt;
  const auto given = of.authorization;
  if (given.size() > bearer.size() && lower(given.substr(0, bearer.size())) == bearer &&
      same_token(given.substr(bearer.size()), access.token))
    return std::nullopt;
  auto refusal = error_response(401, "a token or a client certificate is needed; expected the "
                                     "header Authorization: Bearer TOKEN");
  refusal.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"troupe\"");
  return refusal;
}

} // namespace troupe
