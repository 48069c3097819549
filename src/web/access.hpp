#pragma once

#include "web/message.hpp"
#include "web/route_table.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace troupe {

/// Whom a server answers.
struct web_access {
  bool encrypted = false; ///< it is addressed by https
  std::set<std::string>
    hosts;           ///< the names by which it is addressed, in lower case, with localhost
  std::string token; ///< empty: no token is needed
};

/// What decides about access, of a request and of its connection.
struct web_credentials {
  std::string_view method;
  std::string_view host;          ///< the header; empty: none
  std::string_view origin;        ///< the header; empty: none
  std::string_view authorization; ///< the header; empty: none
  std::string_view content_type;  ///< the header; empty: none
  bool certified = false;         ///< a client's certificate of the authority, without roles
};

/// Returns why a request is refused before anything else is done with it; nothing if it is not.
///
/// A page of another site must not reach the server with the help of a browser: neither by a name
/// that suddenly resolves to this host (the header Host has to be an address or a known name: 421),
/// nor by a request of its own (the header Origin of a POST has to be this server: 403, and its
/// body has to be JSON: 415).
std::optional<web_response> why_refused(const web_access& access, const web_credentials& of);

/// Returns the response to a request without the credentials that a route needs: 401; nothing if
/// it has them.
std::optional<web_response> why_not_trusted(const web_access& access, const web_credentials& of);

/// Returns the host of "host", "host:80", "[::1]:80" in lower case; empty if it is malformed.
std::string host_of(std::string_view header);

} // namespace troupe
