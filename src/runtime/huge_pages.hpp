#pragma once

#include <cstddef>

namespace troupe {

/// Makes the heap grow by `bytes` at once, to be filled later, and asks the kernel to fill it with
/// huge pages. With many actors a good part of the time goes into finding their memory; fewer pages
/// are found faster. A hint: where the kernel or the C library will not, nothing happens. Memory
/// that is not filled costs nothing.
void reserve_heap(std::size_t bytes);

} // namespace troupe
