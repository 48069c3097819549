#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

namespace troupe {

/// Why a task waits, or was given up without a place: the closed list of docs/explain.md.
enum class wait_reason : std::uint8_t {
  none,              ///< it does not wait, or it is not known why
  waits_for_group,   ///< for tasks of its job that have to end first
  behind_others,     ///< other tasks are decided on before it
  tenant_at_maximum, ///< its tenant may use no more
  never_fits,        ///< no machine has as much as it asks for
  no_match,          ///< no machine that is large enough has the attributes that it asks for
  no_room,           ///< no machine has enough free
  no_offer,          ///< its scheduler is offered nothing
  gang_incomplete,   ///< there is not room for all tasks of its gang
  held_up,           ///< the resources are reserved for earlier jobs
  closed,            ///< windows of the machines with room begin before it is expected to end
  kept_away,         ///< the machines with room have refused tasks a short while ago
  backing_off,       ///< it was refused, and waits before the next attempt
  waits_for_refresh, ///< it was refused, and waits for a newer view
  in_commit,         ///< an owner has not answered, or the decision is being made
  owner_silent,      ///< an owner has not answered for longer than a commit's time-out
  probing,           ///< machines were probed, or hold reservations for it
  reserved,          ///< it was sent to a machine and waits in its queue
  without_scheduler, ///< no scheduler has its job
  with_plugin,       ///< its scheduler is from a plugin, and does not tell why
};

inline constexpr std::string_view wait_reason_names[] = {"",
                                                         "waits_for_group",
                                                         "behind_others",
                                                         "tenant_at_maximum",
                                                         "never_fits",
                                                         "no_match",
                                                         "no_room",
                                                         "no_offer",
                                                         "gang_incomplete",
                                                         "held_up",
                                                         "closed",
                                                         "kept_away",
                                                         "backing_off",
                                                         "waits_for_refresh",
                                                         "in_commit",
                                                         "owner_silent",
                                                         "probing",
                                                         "reserved",
                                                         "no_scheduler",
                                                         "with_plugin"};

constexpr std::string_view name_of(wait_reason why) {
  const auto i = static_cast<std::size_t>(why);
  return i < std::size(wait_reason_names) ? wait_reason_names[i] : "?";
}

} // namespace troupe
