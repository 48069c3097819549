#include "nodes/frame_budget.hpp"
#include "nodes/frame_guard.hpp"

#include <doctest/doctest.h>

#include <string>

using troupe::frame_budget;
using troupe::frame_guard;

namespace {

std::string header(std::uint32_t payload) {
  std::string bytes(32, 'x');
  for (std::size_t i = 0; i < 4; ++i)
    bytes[4 + i] = static_cast<char>(payload >> (24 - 8 * i));
  return bytes;
}

} // namespace

TEST_CASE("frames within the limit pass, however their bytes come in") {
  frame_guard whole{1000};
  const auto frames = header(1000) + std::string(1000, 'p') + header(0) + header(1) + 'p';
  CHECK_FALSE(whole.feed(frames));
  CHECK_FALSE(whole.feed(header(1000)));
  frame_guard bit_by_bit{1000};
  for (const auto byte : frames)
    CHECK_FALSE(bit_by_bit.feed({&byte, 1}));
}

TEST_CASE("a header that announces too much is told, also after others") {
  frame_guard guard{1000};
  CHECK(guard.feed(header(1001)) == 1001U);
  frame_guard later{1000};
  CHECK_FALSE(later.feed(header(3) + "pp"));
  CHECK_FALSE(later.feed("p" + header(0x1000'0000).substr(0, 31)));
  CHECK(later.feed("x") == 0x1000'0000U);
}

TEST_CASE("a payload that looks like a header is none") {
  frame_guard guard{64};
  CHECK_FALSE(guard.feed(header(32) + header(0x7fff'ffff) + header(64)));
}

TEST_CASE("nothing is there before a whole header") {
  frame_guard guard{64};
  CHECK_FALSE(guard.feed(header(0).substr(0, 31)));
  CHECK_FALSE(guard.any());
  CHECK_FALSE(guard.feed("x"));
  CHECK(guard.any());
}

TEST_CASE("the longest payload is known as soon as it is announced") {
  frame_guard guard{1000};
  guard.feed(header(300) + std::string(300, 'p') + header(20));
  CHECK(guard.longest() == 300);
  guard.feed(std::string(20, 'p') + header(900));
  CHECK(guard.longest() == 900);
}

TEST_CASE("what all connections announce together has a limit") {
  constexpr std::uint64_t mib = 1 << 20;
  frame_budget budget{256 * mib};
  std::uint64_t held[4] = {};
  CHECK(budget.take(held[0], 127 * mib));
  CHECK(budget.take(held[1], 127 * mib));
  CHECK_FALSE(budget.take(held[2], 127 * mib));
  CHECK(held[2] == 0);
  CHECK(budget.take(held[2], 2 * mib));
  CHECK(budget.take(held[0], 5 * mib)); // it has room for that
  CHECK(budget.take(held[3], frame_budget::free_share));
  CHECK(held[3] == 0);
  budget.give_back(held[0]);
  CHECK(budget.take(held[3], 100 * mib));
  for (auto& h : held)
    budget.give_back(h);
  CHECK(budget.used() == 0);
}
