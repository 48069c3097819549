#pragma once

#include "actors/common/reach.hpp"
#include "actors/machine/lease_board.hpp"
#include "actors/machine/machine_session.hpp"
#include "actors/protocol/handles.hpp"

#include <memory>
#include <optional>

namespace troupe {

/// How a machine talks to its owner where failures are watched.
struct machine_session_config {
  machine_session_rules rules;
  owner_id owner = 0; ///< of its partition
  duration heartbeat = std::chrono::milliseconds{500};
  /// Another actor triggers the heartbeats: one timer for all machines of a node. A machine that
  /// has just sent another message sends none.
  bool paced = false;
  /// The board of the process, which sends signs of life for all its machines; none: the machine
  /// sends its own.
  std::shared_ptr<lease_board> board{};
  reach_function reach;
};

/// The connection of a machine to its owner where failures are watched: the session and the
/// owner's handle. It sends the messages of the session.
class owner_tie {
public:
  owner_tie(const machine_session_config& config, std::unique_ptr<task_host> host)
    : config_(config), host_(std::move(host)), session_(config.rules, *host_) {}

  const machine_session_config& config() const { return config_; }
  machine_session& session() { return session_; }
  const machine_session& session() const { return session_; }

  /// Takes the lease that the process has got, and has the session catch up. To be called first at
  /// every event. Returns whether the owner must be informed.
  bool catch_up(instant now);

  /// Sends a heartbeat.
  void send_heartbeat(instant now);

  /// The same every heartbeat, or only a sign of life, or nothing if the process sends it.
  void send_heartbeat_if_due(instant now);

  /// Obeys the reply of an owner, and answers.
  void hear(const lease_reply& word, instant now);

private:
  bool turn_to(incarnation_id incarnation);
  void refuse(incarnation_id incarnation, instant now);
  void show_life(instant now) const;

  machine_session_config config_;
  std::unique_ptr<task_host> host_;
  machine_session session_;
  owner_actor owner_{};
  incarnation_id owner_incarnation_ = 0; ///< that `owner_` leads to; 0: unknown
  std::optional<instant> last_sent_{};   ///< the time of the last heartbeat
  std::uint64_t leases_read_ = 0;        ///< of the owner, on the board
};

} // namespace troupe
