#include "nodes/registry/gateway_questions.hpp"

#include "nodes/registry/gateway_clocks.hpp"
#include "nodes/registry/gateway_forward.hpp"

#include <caf/all.hpp>

namespace troupe {

void note_report(gateway_pointer self, const node_report& report) {
  const auto* connection = connection_of_sender(self);
  if (!self->state.is_master() || connection == nullptr)
    return;
  if (const auto* entry = self->state.book->find(connection->name);
      entry != nullptr && entry->index == report.index)
    self->state.reports[report.index] = report;
}

caf::result<cluster_report> tell_status(gateway_pointer self) {
  auto& state = self->state;
  if (state.is_master()) {
    auto all = state.config.describe(state.book->list());
    for (const auto& [index, report] : state.reports)
      all.reports.push_back(report);
    all.bytes_of_left = state.bytes_of_left;
    all.sync_bytes_of_left = state.sync_bytes_of_left;
    note_clocks(self, all.reports);
    return all;
  }
  return ask_master<cluster_report>(self, status_atom_v);
}

namespace {

/// Returns the answer of the node with the workload, which is another one; `otherwise` if no such
/// node has joined yet.
template <class Answer, class Question>
caf::result<Answer> ask_workload(gateway_pointer self, const Question& asked, Answer otherwise) {
  for (const auto& e : self->state.known.nodes) {
    if (!e.who.roles.workload)
      continue;
    const auto* connection = find_connection(self, e.who.name);
    if (connection == nullptr || !connection->handle)
      return caf::make_error(caf::sec::runtime_error,
                             "there is no connection to the node with the workload, " + e.who.name);
    return pass_on<Answer>(self, connection->handle, asked);
  }
  return otherwise;
}

} // namespace

caf::result<live_report> tell_live(gateway_pointer self, const live_request& asked) {
  auto& state = self->state;
  if (state.config.who.roles.workload)
    return state.config.live ? state.config.live(asked) : live_report{};
  return ask_workload(self, asked, live_report{});
}

caf::result<story_reply> tell_story_of(gateway_pointer self, const story_request& asked) {
  auto& state = self->state;
  const story_reply none{404, R"({"error":"there is no workload"})"};
  if (!state.config.who.roles.workload)
    return ask_workload(self, asked, none);
  if (!state.config.story)
    return none;
  auto answer = self->make_response_promise<story_reply>();
  const auto number = state.stories.add(answer);
  state.config.story(asked, [number, self = caf::actor_cast<caf::actor>(self)](story_reply reply) {
    caf::anon_send(self, number, std::move(reply));
  });
  return answer;
}

} // namespace troupe
