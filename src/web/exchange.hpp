#pragma once

#include "web/access.hpp"
#include "web/beast.hpp"
#include "web/limits.hpp"
#include "web/route_table.hpp"

#include <optional>
#include <string>

/// From a parsed request to the bytes of its response, without connections.
namespace troupe {

using http_input = beast::http::request<beast::http::string_body>;
using http_parser = beast::http::request_parser<beast::http::string_body>;
using http_output = beast::http::response<beast::http::string_body>;

/// Sets the limits of the parser of one request.
void limit(http_parser& parser, const web_limits& limits);

/// What is to be done about a request.
struct web_decision {
  web_request request;                       ///< as for the handler
  const route_table::route* route = nullptr; ///< null: `refusal` is the response
  web_response refusal;
};

/// Finds the route of a request. It is refused if it is malformed, comes from someone without
/// access (see `access.hpp`), or if there is no such route (404, 405). `certified`: see
/// `web_credentials`.
web_decision decide(const http_input& input, bool certified, const web_access& access,
                    const route_table& routes);

/// Returns the response to a request that cannot be parsed: 400, 413 or 431.
web_response unreadable(const asio_error& why);

/// Makes the response as it is sent, with the headers that protect browsers; compresses it, or
/// leaves out the body if the client has it already (304). A response to HEAD has no body, but its
/// length.
http_output render(web_response response, const http_input& input, bool keep_alive);

/// Returns the head of a response that is a stream of events.
std::string event_stream_head();

} // namespace troupe
