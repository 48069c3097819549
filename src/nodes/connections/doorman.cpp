#include "nodes/connections/doorman.hpp"

#include <caf/io/abstract_broker.hpp>
#include <caf/io/scribe.hpp>

namespace troupe {

doorman::doorman(caf::io::network::default_multiplexer& mx, std::uint16_t port,
                 std::function<void()> closed)
  : caf::io::doorman(caf::io::accept_handle::from_int(port)),
    mx_(mx),
    port_(port),
    closed_(std::move(closed)) {}

void doorman::pass(caf_socket socket) {
  mx_.post([self = caf::intrusive_ptr<doorman>{this}, scribe = mx_.new_scribe(socket)] {
    self->next_ = scribe;
    self->new_connection();
  });
}

bool doorman::new_connection() {
  auto scribe = std::exchange(next_, nullptr);
  if (detached() || !scribe)
    return false;
  const auto handle = scribe->hdl();
  parent()->add_scribe(std::move(scribe));
  return caf::io::doorman::new_connection(&mx_, handle);
}

void doorman::graceful_shutdown() {
  closed_();
  detach(&mx_, false);
}

} // namespace troupe
