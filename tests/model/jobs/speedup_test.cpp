#include "model/jobs/speedup.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

speedup_model downey_model(double parallelism, double sigma) {
  return {speedup_kind::downey, 0, parallelism, sigma};
}

} // namespace

TEST_CASE("a job with linear speedup is n times as fast on n processors") {
  const speedup_model linear;
  CHECK(linear.at(1) == 1);
  CHECK(linear.at(7) == 7);
}

TEST_CASE("a serial fraction limits the speedup as Amdahl says") {
  const speedup_model by{speedup_kind::amdahl, 0.1};
  CHECK(by.at(1) == doctest::Approx(1));
  CHECK(by.at(9) == doctest::Approx(5)); // 1 / (0.1 + 0.9 / 9)
  CHECK(by.at(1'000'000) == doctest::Approx(10).epsilon(1e-4));
  CHECK(speedup_model{speedup_kind::amdahl, 1}.at(64) == doctest::Approx(1));
}

TEST_CASE("Downey's speedup has the values of his equations") {
  // No variance: linear up to the parallelism, which is the limit.
  CHECK(downey_model(8, 0).at(5) == doctest::Approx(5));
  CHECK(downey_model(8, 0).at(8) == doctest::Approx(8));
  CHECK(downey_model(8, 0).at(20) == doctest::Approx(8));
  // A low variance, sigma = 0.5: A n / (A + sigma (n - 1) / 2) up to A, then
  // A n / (sigma (A - 1/2) + n (1 - sigma / 2)) up to 2 A - 1, then A.
  CHECK(downey_model(8, 0.5).at(5) == doctest::Approx(40 / 9.0));
  CHECK(downey_model(8, 0.5).at(10) == doctest::Approx(80 / 11.25));
  CHECK(downey_model(8, 0.5).at(15) == doctest::Approx(8));
  // A high one, sigma = 2: n A (sigma + 1) / (sigma (n + A - 1) + A) up to A + A sigma - sigma.
  CHECK(downey_model(8, 2).at(5) == doctest::Approx(120 / 32.0));
  CHECK(downey_model(8, 2).at(22) == doctest::Approx(8));
  CHECK(downey_model(8, 2).at(23) == doctest::Approx(8));
}

TEST_CASE("Downey's two equations meet where sigma is one") {
  for (const std::uint32_t n : {1U, 3U, 8U, 15U, 16U, 40U})
    CHECK(downey_model(8, 1).at(n) ==
          doctest::Approx(downey_model(8, 1 + 1e-9).at(n)).epsilon(1e-6));
}

TEST_CASE("no speedup falls with more processors, exceeds their number, or begins above one") {
  for (const auto& by :
       {speedup_model{}, speedup_model{speedup_kind::amdahl, 0.03}, downey_model(1, 1),
        downey_model(1.5, 0.7), downey_model(20, 0), downey_model(20, 0.3), downey_model(20, 1),
        downey_model(20, 1.5), downey_model(20, 30)}) {
    double before = 0;
    for (std::uint32_t n = 1; n < 200; ++n) {
      const auto s = by.at(n);
      CHECK(s >= before - 1e-9);
      CHECK(s <= n + 1e-9);
      before = s;
    }
    CHECK(by.at(1) == doctest::Approx(1));
  }
}
