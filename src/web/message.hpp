#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Requests and responses, as handlers see them.
namespace troupe {

struct web_request {
  std::string method;                         ///< "GET", "POST", ...; HEAD arrives as GET
  std::string path;                           ///< decoded; begins with '/'
  std::map<std::string, std::string> query{}; ///< decoded; the last value of each name
  std::map<std::string, std::string> parts{}; ///< of the path, by the names in the route
  std::string body{};
  std::string idempotency_key{}; ///< the header Idempotency-Key; empty: none

  /// Returns a value of the query, or `otherwise` if it has none.
  std::string value(const std::string& name, std::string otherwise = "") const {
    const auto it = query.find(name);
    return it == query.end() ? std::move(otherwise) : it->second;
  }
};

struct web_response {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body{};
  std::string etag{};   ///< quoted; empty: the response must not be kept ("no-store")
  std::string packed{}; ///< `body` compressed by gzip beforehand; may be empty
  std::vector<std::pair<std::string, std::string>> headers{};
};

/// Returns a response with a JSON text.
web_response json_response(std::string text);

/// Returns a response with the body `{"error": WHAT}`.
web_response error_response(unsigned status, std::string_view what);

/// Takes the one response to a request, from any thread; it ignores further ones. If all copies
/// are destroyed without a response, the client gets the status 500.
class web_reply {
public:
  using sink = std::function<void(web_response)>;

  explicit web_reply(sink to);
  void operator()(web_response response) const;

private:
  struct state;
  std::shared_ptr<state> state_;
};

/// Answers a request, at once or later. Runs in the thread of the server, which serves no other
/// request meanwhile.
using web_handler = std::function<void(const web_request&, const web_reply&)>;

} // namespace troupe
