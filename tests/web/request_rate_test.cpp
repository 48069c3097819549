#include "web/request_rate.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

web_limits ten_a_second() {
  web_limits limits;
  limits.requests_per_second = 10;
  limits.requests_at_once = 2;
  limits.longest_wait = 250ms;
  return limits;
}

} // namespace

TEST_CASE("requests above the rate wait, and are refused if they would wait too long") {
  request_rate rate{ten_a_second()};
  const request_rate::time now{};
  CHECK(rate.take("a", now) == 0ms);
  CHECK(rate.take("a", now) == 0ms);
  CHECK(rate.take("a", now) == 0ms);
  CHECK(rate.take("a", now) == 100ms);
  CHECK(rate.take("a", now) == 200ms);
  CHECK(!rate.take("a", now));
  CHECK(!rate.take("a", now));
  CHECK(rate.take("b", now) == 0ms);
  CHECK(rate.take("a", now + 100ms) == 200ms);
  CHECK(rate.take("a", now + 10s) == 0ms);
}

TEST_CASE("addresses beyond the limit share one rate") {
  request_rate rate{ten_a_second()};
  const request_rate::time now{};
  for (std::size_t i = 0; i < request_rate::most_addresses; ++i)
    CHECK(rate.take(std::to_string(i), now) == 0ms);
  for (int i = 0; i < 5; ++i)
    rate.take("x" + std::to_string(i), now);
  CHECK(!rate.take("y", now));
  CHECK(rate.take("1", now) == 0ms);
  CHECK(rate.take("y", now + 10s) == 0ms);
}
