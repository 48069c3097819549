#pragma once

#include "web/event_feed.hpp"
#include "web/message.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Who may use a route.
enum class route_access {
  everyone, ///< everyone who can connect: texts of the program itself, without data
  trusted   ///< clients with the token or a certificate, if the server demands one
};

/// The paths that a server answers. In a path, "{name}" means one part of it.
class route_table {
public:
  struct route {
    std::string method;
    std::string path;
    route_access access = route_access::trusted;
    web_handler handler;                         ///< empty: events
    std::shared_ptr<event_feed> feed;            ///< null: a handler
    std::vector<std::string> parts;              ///< of the path
    std::chrono::milliseconds longest_answer{0}; ///< by the handler; 0: as `web_limits` says
  };

  /// What there is for a request: a route with the parts of its path; or none, and the methods
  /// that the path has, if any.
  struct match {
    const route* found = nullptr;
    std::map<std::string, std::string> parts;
    std::string methods; ///< "GET, HEAD, POST"; empty: no such path
  };

  void add(std::string method, std::string path, web_handler handler,
           route_access access = route_access::trusted,
           std::chrono::milliseconds longest_answer = std::chrono::milliseconds{0});

  /// Answers at once.
  void get(std::string path, std::function<web_response(const web_request&)> handler,
           route_access access = route_access::trusted);
  void post(std::string path, std::function<web_response(const web_request&)> handler);

  /// Serves a stream of events (HTML standard, section 9.2, server-sent events).
  void events(std::string path, std::shared_ptr<event_feed> feed);

  /// Serves a text that is part of the program, to everyone. Browsers keep it.
  void text(std::string path, std::string type, std::string body);

  match find(std::string_view method, std::string_view path) const;

  const std::vector<route>& all() const { return routes_; }

private:
  std::vector<route> routes_;
};

} // namespace troupe
