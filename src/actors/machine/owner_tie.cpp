#include "actors/machine/owner_tie.hpp"

#include <caf/send.hpp>

namespace troupe {

bool owner_tie::catch_up(instant now) {
  if (config_.board)
    if (const auto lease = config_.board->owner_lease_after(config_.owner, leases_read_))
      session_.grant(*lease);
  return session_.catch_up(now);
}

void owner_tie::send_heartbeat(instant now) {
  if (!owner_)
    return;
  last_sent_ = now;
  caf::anon_send(owner_, session_.heartbeat(now));
}

void owner_tie::send_heartbeat_if_due(instant now) {
  const bool turned = turn_to(session_.owner_incarnation());
  if (!turned && session_.is_quiet(2 * config_.heartbeat, now))
    show_life(now);
  else if (turned || !config_.paced || !last_sent_ || now - *last_sent_ >= config_.heartbeat / 2)
    send_heartbeat(now);
}

/// Sends a sign of life, unless the process does.
void owner_tie::show_life(instant now) const {
  if (!config_.board)
    caf::anon_send<caf::message_priority::high>(owner_, session_.sign_of_life(config_.owner, now));
}

/// Finds the owner in that incarnation, or for 0 in the latest one. A new incarnation may be heard
/// before it can be found. Returns whether it has been found just now.
bool owner_tie::turn_to(incarnation_id incarnation) {
  if (owner_ && incarnation != 0 && incarnation == owner_incarnation_)
    return false;
  const auto handle = config_.reach(role::owner, config_.owner, incarnation);
  if (!handle)
    return false;
  owner_ = caf::actor_cast<owner_actor>(handle);
  owner_incarnation_ = incarnation;
  if (config_.board && incarnation != 0)
    config_.board->obeys({role::owner, config_.owner, incarnation});
  return true;
}

/// Tells an incarnation of the owner that a later one has taken over. The master may not know of
/// it.
void owner_tie::refuse(incarnation_id incarnation, instant now) {
  if (const auto handle = config_.reach(role::owner, config_.owner, incarnation))
    caf::anon_send(caf::actor_cast<owner_actor>(handle), session_.refusal(now));
}

void owner_tie::hear(const lease_reply& word, instant now) {
  const auto calls_for = session_.hear(word, now);
  if (calls_for == machine_session::reaction::depose) {
    refuse(word.owner_incarnation, now);
    return;
  }
  const auto incarnation = calls_for == machine_session::reaction::turn
                             ? word.owner_incarnation
                             : session_.owner_incarnation();
  const bool turned = incarnation != 0 && turn_to(incarnation);
  if (turned || calls_for != machine_session::reaction::none)
    send_heartbeat(now);
}

} // namespace troupe
