#pragma once

#include "model/live/live_state.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// The time series as the live page gets them: rows of numbers, whose columns are named as those of
/// timeseries.csv where they mean the same.
namespace troupe {

/// The columns of a row. The first is `until_s`, the end of the row; the second is `samples`, how
/// many samples of the recorder it summarises.
std::span<const std::string_view> live_columns();

/// Renders the whole run, as thin as the state keeps it: "[[...],...]".
std::string whole_rows(const live_state& state);

/// Renders the rows after the sample `after`, as at most `most` rows: a row covers several samples
/// if there are more, or if they are no longer kept one by one.
std::string rows_after(const live_state& state, std::uint64_t after, std::size_t most);

} // namespace troupe
