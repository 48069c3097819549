#pragma once

#include "jobs/store/job_database.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace troupe {

/// Who keeps the jobs of a database.
struct keeper_card {
  std::string node;       ///< its name; empty: there was no keeper yet
  std::string address;    ///< where other nodes reach it: HOST:PORT
  std::string page;       ///< the URL of its API
  std::uint64_t term = 0; ///< rises with each keeper; 0: none yet

  friend bool operator==(const keeper_card&, const keeper_card&) = default;
};

struct keeper_options {
  std::string database; ///< without faults as of `fault_of_store_address`
  keeper_card self;     ///< but the term
  /// Of one renewal, by the clock of the database. It is renewed four times as often.
  std::chrono::milliseconds lease{3'000};
};

/// The right to write to a store of PostgreSQL, which one process has at a time. It is a row of the
/// database with a number, the epoch, which each commit compares within its own transaction: a
/// keeper that stood still while another took over writes nothing more. Thread-safe.
class keeper_lease {
public:
  /// Throws `store_refused` if the address cannot be read. It does not connect yet.
  explicit keeper_lease(keeper_options options);
  keeper_lease(const keeper_lease&) = delete;
  keeper_lease& operator=(const keeper_lease&) = delete;

  /// Gives the lease back if it has it.
  ~keeper_lease();

  /// Takes the lease unless another process has it, and from then on renews it in a thread; returns
  /// whether this one has it. One that has expired is not taken at once after the database was
  /// reached: it may have been away, and the keeper gets the chance to renew it. Makes the tables
  /// if there are none. Throws `store_refused` or `store_away`.
  bool try_take();

  /// Returns the holder at the last try.
  keeper_card keeper() const;

  /// Takes it again, with a new epoch: no commit with the old one succeeds any more. Throws
  /// `store_lost` or `store_away`.
  void begin_epoch();

  /// The address of the database.
  const std::string& database() const;

  /// The present epoch; commits use it.
  std::uint64_t epoch() const;

  /// Returns whether no other process can have the lease now, by the clock of this host.
  bool is_held() const;

  /// Returns whether another process is known to have taken it.
  bool is_lost() const;

  /// Notes that another process has it, and throws `store_lost`.
  [[noreturn]] void lose();

private:
  struct inside;
  std::unique_ptr<inside> in_;
};

} // namespace troupe
