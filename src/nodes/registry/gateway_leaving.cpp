#include "nodes/registry/gateway_leaving.hpp"

#include "nodes/registry/gateway_master.hpp"

#include <caf/all.hpp>

#include <memory>

namespace troupe {

caf::result<caf::ok_atom> say_goodbye(gateway_pointer self) {
  constexpr auto patience = std::chrono::milliseconds{500};
  auto done = self->make_response_promise<caf::ok_atom>();
  const auto left = std::make_shared<std::size_t>(1);
  auto one_less = [done, left]() mutable {
    if (--*left == 0)
      done.deliver(caf::ok_atom_v);
  };
  for (const auto& [name, connection] : self->state.connections)
    if (connection.handle) {
      ++*left;
      self->request(connection.handle, patience, bye_atom_v)
        .then([one_less](caf::ok_atom) mutable { one_less(); },
              [one_less](caf::error&) mutable { one_less(); });
    }
  one_less();
  return done;
}

caf::result<caf::ok_atom> drain_node(gateway_pointer self, const std::string& name) {
  auto& state = self->state;
  if (!state.is_master())
    return caf::make_error(caf::sec::runtime_error, not_the_master(self));
  const auto* connection = connection_of_sender(self);
  const auto why = state.book->drain(name, connection != nullptr && connection->name == name);
  if (!why.empty())
    return caf::make_error(caf::sec::runtime_error, why);
  publish_list(self);
  return caf::ok_atom_v;
}

void drain_this_node(gateway_pointer self) {
  auto& state = self->state;
  state.leaving = true;
  if (const auto master = master_connection(self); !master)
    state.config.alone();
  else
    self->request(master, request_patience, drain_atom_v, state.config.who.name)
      .then([](caf::ok_atom) {}, [](caf::error&) {});
}

void give_another_place(gateway_pointer self, const std::string& name) {
  auto& state = self->state;
  const auto* connection = connection_of_sender(self);
  if (self->current_sender() && (connection == nullptr || connection->name != name))
    return;
  if (!state.is_master()) {
    if (const auto master = master_connection(self))
      self->send(master, move_atom_v, name);
    return;
  }
  state.book->moved(name);
  if (const auto* e = state.book->find(name))
    state.config.mail->learn_machines(state.config.mail->peer(name), e->machines.first,
                                      e->machines.count);
  publish_list(self);
}

caf::result<caf::ok_atom> forget_node(gateway_pointer self, const std::string& name) {
  auto& state = self->state;
  if (state.is_master()) {
    state.book->left(name);
    forget_left(self);
    publish_list(self);
    begin_if_complete(self);
    return caf::ok_atom_v;
  }
  auto answer = self->make_response_promise<caf::ok_atom>();
  if (const auto master = master_connection(self))
    self->request(master, request_patience, leave_atom_v, name)
      .then([answer](caf::ok_atom) mutable { answer.deliver(caf::ok_atom_v); },
            [answer](caf::error& why) mutable { answer.deliver(std::move(why)); });
  else
    answer.deliver(
      caf::make_error(caf::sec::runtime_error, "there is no connection to the master"));
  return answer;
}

} // namespace troupe
