#include "actors/queue/join_requests.hpp"

#include "actors/protocol/messages.hpp"

#include <typeinfo>

namespace troupe {

namespace {

/// Returns whether a message consists of one value of this type. It is not asked for its types,
/// which takes longer.
template <class T>
bool is(const caf::mailbox_element& message) {
  return typeid(message) == typeid(caf::mailbox_element_vals<T>);
}

const get_task_request& request_in(const caf::mailbox_element& message) {
  return message.content().get_as<get_task_request>(0);
}

} // namespace

bool join_requests(caf::mailbox_element_ptr& first, const caf::mailbox_element& next) {
  if (!is<get_task_request>(next) || next.sender)
    return false;
  if (is<task_requests>(*first)) {
    first->content().get_mutable_as<task_requests>(0).all.push_back(request_in(next));
    return true;
  }
  if (!is<get_task_request>(*first) || first->sender)
    return false;
  constexpr std::size_t likely = 16;
  task_requests both;
  both.all.reserve(likely);
  both.all = {request_in(*first), request_in(next)};
  first = caf::make_mailbox_element(nullptr, caf::make_message_id(), {}, std::move(both));
  return true;
}

} // namespace troupe
