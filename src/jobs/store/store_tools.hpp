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
/// object on each other line: `{"table": ..., columns}`. The text depends on what is stored only,
/// not on what keeps it. The store may be in use. Throws `store_refused`.
store_counts export_store(const store_place& at, std::ostream& out);

/// Makes a store of what `export_store` has written. Throws `store_refused`, with the number of the
/// line, if the text is not that; also if there is a store. Then nothing is left.
store_counts import_store(const store_place& at, std::istream& in);

} // namespace troupe
