#pragma once

#include <sys/types.h>

namespace troupe {

/// Makes the kernel kill this process when its parent, which should be `parent`, ends for any
/// reason; ends it now if the parent has ended already.
void end_with_parent(pid_t parent);

} // namespace troupe
