#pragma once

#include <cstddef>

namespace troupe {

/// Makes the heap grow by `bytes`, 2 GiB at the most, to be filled later, and asks the kernel to
/// fill it with huge pages. With many actors a good part of the time goes into finding their
/// memory; fewer pages are found faster. A hint: where the kernel or the C library will not,
/// nothing happens. Memory that is not filled costs nothing. The heap does not shrink again in this
/// process.
void reserve_heap(std::size_t bytes);

} // namespace troupe
