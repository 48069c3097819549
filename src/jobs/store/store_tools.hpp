#pragma once

#include "jobs/store/store_place.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

/// Checks, exports and imports a store of any kind.
namespace troupe {

/// Numbers of rows. Tasks that are as the rest of their group have none.
struct store_counts {
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  std::uint64_t attempts = 0;
};

/// What a check has found.
struct store_check {
  store_counts counts;
  std::vector<std::string> faults; ///< a line each
};

/// Compares counters with rows, states with each other, and the data of the engine with themselves.
/// The store may be in use. Throws `store_refused`.
store_check check_store(const store_place& at);

/// Writes all rows of a store as of one instant, as text: a line that names the version, and a JSON
/// object on each other line: `{"table": ..., columns}`. The text depends only on the stored data,
/// not on the kind of the store. The store may be in use. Throws `store_refused`.
store_counts export_store(const store_place& at, std::ostream& out);

/// Makes a store from the output of `export_store`. Throws `store_refused`, with the number of the
/// line, if the text is not such an output; also if there is a store already. It then leaves
/// nothing behind.
store_counts import_store(const store_place& at, std::istream& in);

} // namespace troupe
