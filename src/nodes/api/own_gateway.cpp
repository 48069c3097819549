#include "nodes/api/own_gateway.hpp"

#include "actors/protocol/messages.hpp"
#include "nodes/registry/error_text.hpp"
#include "report/text/printable.hpp"

#include <caf/all.hpp>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

/// The gateway gives up on other nodes sooner.
constexpr auto gateway_patience = std::chrono::seconds{6};
constexpr std::size_t longest_reason = 1000;

} // namespace

// Each question has an actor of its own, as in cluster_client.
template <class Result, class... Words>
Result own_gateway::ask(Words... words) {
  std::optional<Result> result;
  std::string why;
  caf::scoped_actor self{system_};
  self->request(way_, gateway_patience, words...)
    .receive([&](Result& r) { result = std::move(r); },
             [&](const caf::error& e) { why = error_text(system_, e); });
  if (!result)
    throw std::runtime_error(printable(why, longest_reason));
  return std::move(*result);
}

cluster_report own_gateway::status() {
  return ask<cluster_report>(status_atom_v);
}

live_report own_gateway::live(const live_request& asked) {
  return ask<live_report>(asked);
}

story_reply own_gateway::story(const story_request& asked) {
  return ask<story_reply>(asked);
}

} // namespace troupe
