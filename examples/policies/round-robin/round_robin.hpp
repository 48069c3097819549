#pragma once

#include <actors/plugin/scheduler_plugin.hpp>

/// Round robin over the queues of machines: every task goes to the next machine that could ever run
/// it, and waits there for its turn. What schedulers know of each other's tasks is nothing.
namespace round_robin {

/// INTERNAL: the decision on the first job that waits has taken its time.
struct turn {
  troupe::job_id job = 0;
};

template <class I>
typename I::result_type inspect(I& f, turn& x) {
  return troupe::inspect_fields(f, "round_robin::turn", x.job);
}

using scheduler_actor = troupe::queue_client_actor::extend<caf::reacts_to<turn>>;

} // namespace round_robin

CAF_BEGIN_TYPE_ID_BLOCK(round_robin, caf::id_block::troupe::end)
CAF_ADD_TYPE_ID(round_robin, (round_robin::turn))
CAF_END_TYPE_ID_BLOCK(round_robin)
