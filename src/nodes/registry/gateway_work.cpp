#include "nodes/registry/gateway_work.hpp"

#include "nodes/registry/gateway_forward.hpp"

#include <caf/all.hpp>

#include <utility>

namespace troupe {

namespace {

caf::error error_of(std::string why) {
  return caf::make_error(caf::sec::runtime_error, std::move(why));
}

/// Asks another node, which answers within some seconds or not at all.
template <class Answer, class Question>
caf::result<Answer> ask_node(gateway_pointer self, const std::string& name,
                             const Question& question) {
  const auto* connection = find_connection(self, name);
  if (connection == nullptr || !connection->handle)
    return error_of("there is no connection to the node " + name);
  return pass_on<Answer>(self, connection->handle, question);
}

} // namespace

caf::result<work_answer> tell_service(gateway_pointer self, const work_report& report) {
  auto& state = self->state;
  if (!is_own_question(self)) {
    const auto* connection = connection_of_sender(self);
    if (connection == nullptr || connection->name != report.node)
      return error_of("a report of node " + report.node + " that this node has not sent");
  } else if (!state.config.who.roles.workload) {
    for (const auto& e : state.known.nodes)
      if (e.who.roles.workload)
        return ask_node<work_answer>(self, e.who.name, report);
    return error_of("no node with the workload is known yet");
  }
  if (!state.config.work)
    return error_of("node " + state.config.who.name + " has no job service");
  auto answer = self->make_response_promise<work_answer>();
  const auto number = state.works.add(answer);
  state.config.work(
    report, [number, self = caf::actor_cast<caf::actor>(self)](std::optional<work_answer> reply) {
      if (reply)
        caf::anon_send(self, number, std::move(*reply));
      else
        caf::anon_send(self, number, caf::ok_atom_v);
    });
  return answer;
}

void take_work_answer(gateway_pointer self, std::uint64_t number,
                      std::optional<work_answer> answer) {
  if (self->current_sender())
    return;
  if (answer)
    self->state.works.answer(number, std::move(*answer));
  else
    self->state.works.refuse(number, error_of("the job service cannot write its store"));
}

caf::result<output_reply> find_output(gateway_pointer self, const output_request& asked) {
  auto& state = self->state;
  if (asked.node == state.config.who.name)
    return state.config.output ? state.config.output(asked) : output_reply{};
  if (!is_own_question(self))
    return error_of("that is not node " + asked.node);
  return ask_node<output_reply>(self, asked.node, asked);
}

} // namespace troupe
