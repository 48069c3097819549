#include "nodes/registry/log_limit.hpp"

#include <doctest/doctest.h>

using troupe::log_limit;
using namespace std::chrono_literals;

namespace {

using left_out = std::vector<std::pair<std::string, std::uint64_t>>;

constexpr log_limit::time start{1h};

} // namespace

TEST_CASE("the first few lines of a kind are written, the others counted") {
  log_limit limit{3, 10s};
  int written = 0;
  for (int i = 0; i < 8'934; ++i)
    written += limit.admits("refusals", start + i * 1ms) ? 1 : 0;
  CHECK(written == 3);
  CHECK(limit.admits("others", start));
  CHECK(limit.take_left_out(start + 9s).empty());
  CHECK(limit.take_left_out(start + 10s) == left_out{{"refusals", 8'931}});
  CHECK(limit.take_left_out(start + 30s).empty());
  CHECK(limit.admits("refusals", start + 10s));
}

TEST_CASE("what is rare is always written") {
  log_limit limit{1, 10s};
  for (int i = 0; i < 100; ++i)
    CHECK(limit.admits("refusals", start + i * 10s));
  CHECK(limit.take_left_out(start + 1h).empty());
}

TEST_CASE("what has been left out is not forgotten before it has been told") {
  log_limit limit{1, 10s};
  CHECK(limit.admits("refusals", start));
  CHECK_FALSE(limit.admits("refusals", start + 1s));
  CHECK_FALSE(limit.admits("refusals", start + 11s));
  CHECK(limit.take_left_out(start + 12s) == left_out{{"refusals", 2}});
}
