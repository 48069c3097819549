#include "nodes/api/policy_routes.hpp"

#include "actors/protocol/messages.hpp"
#include "nodes/client/policies_json.hpp"
#include "nodes/registry/error_text.hpp"
#include "report/text/printable.hpp"

#include <caf/all.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <utility>

namespace troupe {

namespace {

using body_json = nlohmann::ordered_json;

constexpr const char* policies_path = "/api/v1/policies";

/// The gateway gives up on other nodes sooner.
constexpr auto policies_patience = std::chrono::seconds{6};
constexpr std::size_t longest_refusal = 1000;

web_response answer_with(unsigned status, const body_json& body) {
  auto made = json_response(body.dump(-1, ' ', false, body_json::error_handler_t::replace) + '\n');
  made.status = status;
  return made;
}

web_response fault_response(const std::string& place, const std::string& what) {
  return answer_with(422, {{"error", place.empty() ? what : place + ": " + what},
                           {"faults", body_json::array({{{"place", place}, {"what", what}}})}});
}

/// Asks the gateway in an actor of its own; `tell` makes the response of its answer.
template <class Answer, class Question, class Tell>
void ask_gateway(caf::actor_system& system, const caf::actor& way, const Question& question,
                 const web_reply& reply, Tell tell) {
  system.spawn([=](caf::event_based_actor* self) {
    self->request(way, policies_patience, question)
      .then([=](Answer& told) { reply(tell(told)); },
            [=](const caf::error& why) {
              auto made =
                error_response(503, printable(error_text(self->system(), why), longest_refusal));
              made.headers.emplace_back("Retry-After", "1");
              reply(std::move(made));
            });
  });
}

web_response response_to(const policy_reply& told) {
  if (told.why_not.empty())
    return answer_with(202, {{"changes", orders_json(told.orders)}});
  return told.bad_input ? fault_response("", told.why_not) : error_response(409, told.why_not);
}

} // namespace

void mount_policies(route_table& routes, caf::actor_system& system, const caf::actor& way,
                    bool may_change) {
  routes.add("GET", policies_path, [&system, way](const web_request&, const web_reply& reply) {
    ask_gateway<cluster_report>(system, way, status_atom_v, reply, [](const cluster_report& all) {
      return answer_with(200, policies_json(policies_of(all)));
    });
  });
  if (!may_change) {
    routes.post(policies_path, [](const web_request&) {
      return error_response(403, "this server demands neither a token nor a certificate, so "
                                 "policies are only shown; expected a node with --serve-tls, or "
                                 "'troupe policy' without --api");
    });
    return;
  }
  routes.add("POST", policies_path, [&system, way](const web_request& r, const web_reply& reply) {
    try {
      ask_gateway<policy_reply>(system, way, read_policy_request(r.body), reply, response_to);
    } catch (const policy_json_error& e) {
      reply(fault_response(e.place, e.what()));
    }
  });
}

void mount_without_policies(route_table& routes, const std::function<web_response()>& answer) {
  for (const auto* method : {"GET", "POST"})
    routes.add(method, policies_path,
               [answer](const web_request&, const web_reply& reply) { reply(answer()); });
}

} // namespace troupe
