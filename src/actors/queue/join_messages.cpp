#include "actors/queue/join_messages.hpp"

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

template <class T>
const T& in(const caf::mailbox_element& message) {
  return message.content().get_as<T>(0);
}

} // namespace

bool join_requests(caf::mailbox_element_ptr& first, const caf::mailbox_element& next) {
  if (!is<get_task_request>(next) || next.sender)
    return false;
  if (is<task_requests>(*first)) {
    first->content().get_mutable_as<task_requests>(0).all.push_back(in<get_task_request>(next));
    return true;
  }
  if (!is<get_task_request>(*first) || first->sender)
    return false;
  constexpr std::size_t likely = 16;
  task_requests both;
  both.all.reserve(likely);
  both.all = {in<get_task_request>(*first), in<get_task_request>(next)};
  first = caf::make_mailbox_element(nullptr, caf::make_message_id(), {}, std::move(both));
  return true;
}

bool join_orders(caf::mailbox_element_ptr& first, const caf::mailbox_element& next) {
  if (!is<task_assignment>(next) || next.sender || !is<cancellation>(*first) || first->sender)
    return false;
  const auto& cancelled = in<cancellation>(*first);
  auto answer = in<task_assignment>(next);
  if (answer.order.launcher != cancelled.scheduler || answer.order.task.job != cancelled.job)
    return false;
  answer.cancels = true;
  first = caf::make_mailbox_element(nullptr, caf::make_message_id(), {}, answer);
  return true;
}

} // namespace troupe
