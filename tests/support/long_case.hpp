#pragma once

#include <doctest/doctest.h>

namespace troupe::test {

/// Marks a test case, as in `TEST_CASE("..." * long_case)`, that takes long and shows the
/// sanitizers nothing that other cases do not: only the optimised build runs it.
inline const doctest::test_suite long_case{"optimised"};

} // namespace troupe::test
