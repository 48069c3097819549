#pragma once

#include "actors/protocol/messages.hpp"

#include <string>
#include <vector>

/// What nodes and clients tell each other of the policies of schedulers.
namespace troupe {

/// A change of the policy of schedulers, ordered by a client. For each scheduler the latest order
/// counts.
struct policy_order {
  instant at{0};                        ///< by the time of the cluster; grows from order to order
  std::vector<scheduler_id> schedulers; ///< ascending
  policy_choice to;
};

/// What a scheduler has done about the latest order for it, as its node knows.
struct policy_state {
  scheduler_id scheduler = 0;
  instant at{0};       ///< of the order
  std::string why_not; ///< why it keeps its policy; empty: it has changed it
};

/// A client's question for other policies.
struct policy_request {
  std::string policy;
  std::vector<std::string> settings;    ///< "policy.x=value" each
  std::vector<scheduler_id> schedulers; ///< none: all that have a policy
};

/// The answer of the master's node: the orders that it has given, or why there are none.
struct policy_reply {
  std::vector<policy_order> orders;
  std::string why_not;
  bool bad_input = false; ///< the question is wrong, whenever it is asked
};

/// The policy of a scheduler by the settings of the cluster and the orders of clients.
struct scheduler_policy {
  scheduler_id scheduler = 0;
  std::string group;    ///< empty: the schedulers are a pool
  bool changes = false; ///< it has a policy that can be changed
  bool ordered = false; ///< by a client; else the settings say so
  instant since{0};
  policy_choice policy; ///< if it cannot be changed: how the scheduler chooses machines
};

template <class I>
typename I::result_type inspect(I& f, policy_order& x) {
  return inspect_fields(f, "policy_order", x.at, x.schedulers, x.to);
}

template <class I>
typename I::result_type inspect(I& f, policy_state& x) {
  return inspect_fields(f, "policy_state", x.scheduler, x.at, x.why_not);
}

template <class I>
typename I::result_type inspect(I& f, policy_request& x) {
  return inspect_fields(f, "policy_request", x.policy, x.settings, x.schedulers);
}

template <class I>
typename I::result_type inspect(I& f, policy_reply& x) {
  return inspect_fields(f, "policy_reply", x.orders, x.why_not, x.bad_input);
}

template <class I>
typename I::result_type inspect(I& f, scheduler_policy& x) {
  return inspect_fields(f, "scheduler_policy", x.scheduler, x.group, x.changes, x.ordered, x.since,
                        x.policy);
}

} // namespace troupe
