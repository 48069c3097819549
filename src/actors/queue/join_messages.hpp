#pragma once

#include <caf/mailbox_element.hpp>

/// How messages that arrive at one instant, one right behind the other, become one. Each function
/// puts `next` to `first`, or returns false and changes nothing.
namespace troupe {

/// Joins requests of machines (get_task_request) to one message (task_requests).
bool join_requests(caf::mailbox_element_ptr& first, const caf::mailbox_element& next);

/// Joins a cancellation and the answer to a request of the same job: the request was under way when
/// the last task of the job was handed out.
bool join_orders(caf::mailbox_element_ptr& first, const caf::mailbox_element& next);

} // namespace troupe
