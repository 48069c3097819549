#pragma once

#include "report/page/page.hpp"
#include "runtime/faults/chaos.hpp"

#include <string>

namespace troupe {

/// Returns the contents of a page about a run under chaos: the first violation, the failures over
/// time and as a table, and the events before the violation. `command` repeats it.
page_contents chaos_page(const chaos_outcome& outcome, const std::string& name,
                         const std::string& command);

} // namespace troupe
