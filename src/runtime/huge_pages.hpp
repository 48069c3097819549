#pragma once

namespace troupe {

/// Asks the kernel to keep what is on the heap now in huge pages. With many actors a good part of
/// the time goes into finding their memory; fewer pages are found faster. A hint: where the kernel
/// cannot or will not, nothing happens.
void use_huge_pages();

} // namespace troupe
