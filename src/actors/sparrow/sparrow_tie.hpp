#pragma once

#include "actors/common/member_session.hpp"
#include "actors/common/unheard.hpp"
#include "actors/protocol/handles.hpp"
#include "actors/sparrow/sparrow_session.hpp"

#include <caf/message_priority.hpp>

namespace troupe {

/// The settings of a scheduler that uses the queues of machines, where failures are watched.
struct sparrow_session_config {
  sparrow_session_rules rules;
  failover_rules failover; ///< all others are reached through `reach`
};

/// How such a scheduler talks to the rest of the cluster: its sessions with machines, its
/// membership, and what its actor sends for them.
struct sparrow_tie {
  failover_rules failover;
  sparrow_session session;
  member_session member;
  unheard<scheduler_status> unheard_samples{};

  /// Sends the messages to machines and job stores that are due.
  void send_due(instant now);

  /// Answers the heartbeat of machines.
  void hear(const process_heartbeat& heard, instant now);

  /// Notes that another scheduler has taken over. The actor must quit.
  void retire() const;

  /// Sends a heartbeat from `self` to the master, and looks for silent machines.
  template <class Self>
  void send_heartbeat(Self self, instant now) {
    if (const auto master = failover.reach(role::master, 0, 0))
      self->template send<caf::message_priority::high>(caf::actor_cast<master_actor>(master),
                                                       member.heartbeat(now));
    session.look_around(now);
  }

  /// Notes that the master has answered.
  void hear(const heartbeat_reply& answer, instant now) {
    member.hear(answer);
    if (session.vouched(answer.answers, now))
      session.look_around(now);
  }
};

} // namespace troupe
