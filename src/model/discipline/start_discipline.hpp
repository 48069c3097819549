#pragma once

#include "model/base/choice.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace troupe {

/// Which waiting jobs may start before jobs that are ahead of them in the queue.
enum class start_discipline : std::uint8_t {
  fit,          ///< every job that finds room; there are no reservations
  fcfs,         ///< none
  easy,         ///< those that do not delay the first job (Lifka, JSSPP 1995)
  conservative, ///< those that delay no job (Mu'alem and Feitelson, IEEE TPDS 12(6), 2001)
};

template <>
struct choice_names<start_discipline> {
  static constexpr std::array<std::string_view, 4> value{"fit", "fcfs", "easy", "conservative"};
};

/// The order of the queue that a discipline goes by.
enum class start_order : std::uint8_t {
  fcfs,        ///< by submission
  shortest,    ///< by estimate, the shortest first
  widest,      ///< by the number of tasks that start together, the most first
  multifactor, ///< by a weighted sum of age, size, tenant's share and priority (Slurm)
};

template <>
struct choice_names<start_order> {
  static constexpr std::array<std::string_view, 4> value{"fcfs", "shortest", "widest",
                                                         "multifactor"};
};

/// Which width a moldable job starts at (`moldability`).
enum class width_rule : std::uint8_t {
  requested,       ///< the one that its user asked for: jobs are not moldable
  available,       ///< the one at which it starts first; of these the one at which it ends first
  earliest_finish, ///< the one at which it ends first; it waits for a wide one if that is worth it
};

template <>
struct choice_names<width_rule> {
  static constexpr std::array<std::string_view, 3> value{"requested", "available",
                                                         "earliest-finish"};
};

} // namespace troupe
