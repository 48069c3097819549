#pragma once

#include <sys/types.h>

namespace troupe {

/// Has this process killed once its parent, which should be `parent`, has ended in whatever way, or
/// ends it now if that is so already.
void end_with_parent(pid_t parent);

} // namespace troupe
