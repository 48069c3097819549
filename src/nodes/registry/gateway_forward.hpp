#pragma once

#include "nodes/registry/gateway_connections.hpp"

#include <caf/all.hpp>

/// How a gateway passes questions of its own node on to other nodes.
namespace troupe {

/// Returns whether the current message comes from this node.
inline bool is_own_question(gateway_pointer self) {
  const auto& sender = self->current_sender();
  return !sender || sender->node() == self->node();
}

/// Asks the gateway at the other end of a connection. The question fails when the connection
/// breaks, or after `request_patience`.
template <class Answer, class Question>
caf::result<Answer> pass_on(gateway_pointer self, const caf::actor& connection,
                            const Question& question) {
  auto answer = self->make_response_promise<Answer>();
  auto& passed = self->state.passed;
  const auto number = passed.add(connection.address(),
                                 [answer](const caf::error& why) mutable { answer.deliver(why); });
  self->request(connection, request_patience, question)
    .then(
      [answer, &passed, number](Answer& r) mutable {
        if (passed.close(number))
          answer.deliver(std::move(r));
      },
      [answer, &passed, number](caf::error& why) mutable {
        if (passed.close(number))
          answer.deliver(std::move(why));
      });
  return answer;
}

/// Passes a question of this node on to the node with the master, which is another one. Those of
/// other nodes and of clients are refused: they are to ask it themselves.
template <class Answer, class Question>
caf::result<Answer> ask_master(gateway_pointer self, const Question& question) {
  const auto& sender = self->current_sender();
  if (!sender || !is_own_question(self))
    return caf::make_error(caf::sec::runtime_error, not_the_master(self));
  const auto& master = self->state.master;
  if (const auto connection = master_connection(self))
    return pass_on<Answer>(self, connection, question);
  return caf::make_error(caf::sec::runtime_error,
                         "there is no connection to the node with the master" +
                           (master.empty() ? "" : ", " + master));
}

} // namespace troupe
