#pragma once

#include <cstddef>

namespace troupe {

/// Grows the heap by `bytes` and some more, 2 GiB at most, for later use, and advises the kernel to
/// use huge pages for it. With many actors, much time goes into address translation, which huge
/// pages make faster. This is a hint: if the kernel or the C library does not support it, nothing
/// happens. Unused memory costs nothing. The heap does not shrink again in this process.
void reserve_heap(std::size_t bytes);

} // namespace troupe
