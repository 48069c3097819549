#pragma once

#include <doctest/doctest.h>

/// Like REQUIRE, for checks that run millions of times: it calls doctest, which costs microseconds
/// with sanitizers, only if the check fails. It evaluates the expression again then.
#define REQUIRE_FAST(...)                                                                          \
  do {                                                                                             \
    if (!(__VA_ARGS__))                                                                            \
      REQUIRE(__VA_ARGS__);                                                                        \
  } while (false)
