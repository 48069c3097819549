#pragma once

#include <caf/mailbox_element.hpp>

namespace troupe {

/// Joins the requests of machines for tasks (get_task_request) to one message (task_requests): puts
/// `next` to `first`. Returns false, and changes nothing, if one of them is another message.
bool join_requests(caf::mailbox_element_ptr& first, const caf::mailbox_element& next);

} // namespace troupe
