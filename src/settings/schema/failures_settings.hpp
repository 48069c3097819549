#pragma once

#include "model/base/time.hpp"
#include "settings/schema/choices.hpp"
#include "settings/schema/fault_choices.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// The settings of failures, of their detection, and of `troupe chaos`. fields_failures.hpp has the
/// meaning and range of each member.
namespace troupe {

/// The detection of failures and the reaction to them.
struct failures_settings {
  watch_kind watch = watch_kind::automatic;
  duration heartbeat = std::chrono::milliseconds{500};
  duration timeout = std::chrono::milliseconds{1500};
  duration machine_timeout = std::chrono::milliseconds{5000};
  duration owner_lease = std::chrono::seconds{10};
  std::uint32_t retries = 0; ///< 0: any number
  std::uint32_t standby_owners = 0;
  std::uint32_t standby_schedulers = 0;

  /// How long a place of a cluster that grows stays empty after its machine has left. By then all
  /// members know this.
  duration place_rest() const {
    return machine_timeout + (owner_lease > duration::zero() ? owner_lease : machine_timeout) +
           heartbeat;
  }

  friend bool operator==(const failures_settings&, const failures_settings&) = default;
};

/// A failure at a given time.
struct timed_fault_settings {
  fault_kind kind = fault_kind::kill;
  std::string target = "machine.0";
  std::string other = "*";
  duration time{0};
  duration length = std::chrono::seconds{5}; ///< 0: permanently
  double loss = 0.1;
  duration delay = std::chrono::milliseconds{100};

  friend bool operator==(const timed_fault_settings&, const timed_fault_settings&) = default;
};

/// Failures of all members of a role at random times.
struct random_fault_settings {
  fault_kind kind = fault_kind::kill;        ///< kill or freeze
  troupe::role role = troupe::role::machine; ///< machine, owner, scheduler or master
  lifetime_kind distribution = lifetime_kind::exponential;
  double shape = 1;
  duration mttf = std::chrono::hours{1};
  duration mttr = std::chrono::minutes{1};

  friend bool operator==(const random_fault_settings&, const random_fault_settings&) = default;
};

/// The failures of a run.
struct faults_settings {
  std::vector<timed_fault_settings> at;
  std::vector<random_fault_settings> random;
  std::string trace; ///< a file; empty: none
  duration until{0}; ///< 0: no end

  bool any() const { return !at.empty() || !random.empty() || !trace.empty(); }

  friend bool operator==(const faults_settings&, const faults_settings&) = default;
};

/// The failures that `troupe chaos` adds to each run.
struct chaos_settings {
  std::uint32_t faults = 6;
  std::vector<chaos_kind> kinds{chaos_kind::machine, chaos_kind::owner, chaos_kind::scheduler,
                                chaos_kind::master,  chaos_kind::cut,   chaos_kind::loss,
                                chaos_kind::delay,   chaos_kind::drain};
  duration window = std::chrono::seconds{10};
  duration longest = std::chrono::seconds{4};
  duration patience = std::chrono::minutes{2};
  double withdrawals = 0; ///< share of the jobs that are withdrawn
  bool growth = false;    ///< machines join and leave, as in a cluster for jobs

  friend bool operator==(const chaos_settings&, const chaos_settings&) = default;
};

} // namespace troupe
