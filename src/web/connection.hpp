#pragma once

#include "web/access.hpp"
#include "web/beast.hpp"
#include "web/limits.hpp"
#include "web/request_rate.hpp"
#include "web/route_table.hpp"

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <string>

namespace troupe {

class web_connection;

/// What all connections of a server share. All of it belongs to the server's thread.
struct web_state {
  web_state(web_limits with, web_access whom, std::shared_ptr<const route_table> what)
    : limits(with), access(std::move(whom)), routes(std::move(what)), rate(limits) {}

  const web_limits limits;
  const web_access access;
  const std::shared_ptr<const route_table> routes;
  request_rate rate;
  std::list<web_connection*> open; ///< in the order of their last request
  std::size_t streams = 0;
  bool closed = false;
};

/// An open connection of a client. All functions run in the server's thread.
class web_connection {
public:
  explicit web_connection(std::shared_ptr<web_state> of);
  web_connection(const web_connection&) = delete;
  web_connection& operator=(const web_connection&) = delete;
  virtual ~web_connection();

  /// Begins to serve the client.
  virtual void start() = 0;

  /// Ends all that is under way.
  virtual void close() = 0;

  /// Waits for the first or the next request.
  bool idle() const { return idle_; }

protected:
  void set_idle(bool idle);

  const std::shared_ptr<web_state> state_;

private:
  std::list<web_connection*>::iterator place_;
  bool idle_ = true;
};

/// Makes the connection of a socket; encrypted if `tls` is not null. `io` is that of the socket.
std::shared_ptr<web_connection> make_web_connection(const std::shared_ptr<asio::io_context>& io,
                                                    tcp::socket socket, asio::ssl::context* tls,
                                                    std::shared_ptr<web_state> state);

} // namespace troupe
