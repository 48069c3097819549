#pragma once

#include "jobs/store/job_database.hpp"

#include <optional>
#include <pqxx/pqxx>
#include <string>

/// Internal to the store of PostgreSQL.
namespace troupe {

/// One connection to a database, which is made when it is needed, and again after it was lost. For
/// one thread at a time.
class postgres_session {
public:
  /// `address`: without faults as of `fault_of_store_address`. Throws `store_refused` if libpq
  /// cannot read it.
  explicit postgres_session(const std::string& address);

  /// Returns the result of `act(connection)`. Throws the exception that `fail` makes from an error;
  /// the connection is given up unless it is known to be good.
  template <class Act>
  auto use(Act act) {
    try {
      return act(connection());
    } catch (const pqxx::pqxx_exception& e) {
      fail(e.base());
    }
  }

  /// Returns the connection. Throws the exceptions of libpqxx.
  pqxx::connection& connection();

  /// Returns whether there is a connection, as far as is known.
  bool is_open() const { return open_ && open_->to.is_open(); }

  /// Gives the connection up.
  void close() { open_.reset(); }

private:
  /// What libpqxx would write to standard error is in its exceptions, too.
  struct quiet_connection {
    explicit quiet_connection(const std::string& options) : to(options) {}
    pqxx::connection to;
    pqxx::quiet_errorhandler quiet{to};
  };

  /// Throws `store_full`, `store_away` or `store_broken`.
  [[noreturn]] void fail(const std::exception& why);

  std::string options_; ///< for libpq
  std::optional<quiet_connection> open_;
};

/// The first line of a message of the database, without the kind of the message.
std::string line_of(const std::exception& e);

/// Text that a database of PostgreSQL takes: without NUL, and UTF-8.
std::string storable(const std::string& text);

} // namespace troupe
