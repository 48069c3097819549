#include "nodes/connections/frame_budget.hpp"
#include "nodes/connections/frame_limit.hpp"

#include <doctest/doctest.h>

#include <string>

using troupe::frame_budget;
using troupe::frame_fault;
using troupe::frame_limit;

namespace {

constexpr auto fine = frame_fault::none;
constexpr auto too_long = frame_fault::too_long;
constexpr auto foreign = frame_fault::foreign;

std::string header(std::uint32_t payload, char kind = 'x') {
  std::string bytes(32, kind);
  for (std::size_t i = 0; i < 4; ++i)
    bytes[4 + i] = static_cast<char>(payload >> (24 - 8 * i));
  return bytes;
}

std::string frame(char kind, const std::string& payload) {
  return header(static_cast<std::uint32_t>(payload.size()), kind) + payload;
}

} // namespace

TEST_CASE("frames within the limit pass, however their bytes come in") {
  frame_limit whole{1000};
  const auto frames = header(1000) + std::string(1000, 'p') + header(0) + header(1) + 'p';
  CHECK(whole.feed(frames) == fine);
  CHECK(whole.feed(header(1000)) == fine);
  frame_limit bit_by_bit{1000};
  for (const auto byte : frames)
    CHECK(bit_by_bit.feed({&byte, 1}) == fine);
}

TEST_CASE("a header that announces too much is told, also after others") {
  frame_limit limit{1000};
  CHECK(limit.feed(header(1001)) == too_long);
  CHECK(limit.longest() == 1001);
  frame_limit later{1000};
  CHECK(later.feed(header(3) + "pp") == fine);
  CHECK(later.feed("p" + header(0x1000'0000).substr(0, 31)) == fine);
  CHECK(later.feed("x") == too_long);
  CHECK(later.longest() == 0x1000'0000U);
}

TEST_CASE("a payload that looks like a header is none") {
  frame_limit limit{64};
  CHECK(limit.feed(header(32) + header(0x7fff'ffff) + header(64)) == fine);
}

TEST_CASE("nothing is there before a whole header") {
  frame_limit limit{64};
  CHECK(limit.feed(header(0).substr(0, 31)) == fine);
  CHECK_FALSE(limit.any());
  CHECK(limit.feed("x") == fine);
  CHECK(limit.any());
}

TEST_CASE("the bytes of a long frame count until it is complete") {
  frame_limit limit{1000};
  const auto long_one = header(300) + std::string(300, 'p');
  CHECK(limit.feed("") == fine);
  CHECK(limit.incomplete(100) == 0);
  CHECK(limit.feed(header(5) + "ppppp" + long_one.substr(0, 20)) == fine);
  CHECK(limit.incomplete(100) == 0); // its length is not known yet
  CHECK(limit.feed(long_one.substr(20, 12)) == fine);
  CHECK(limit.incomplete(100) == 32);
  CHECK(limit.incomplete(300) == 0);
  CHECK(limit.feed(long_one.substr(32, 299)) == fine);
  CHECK(limit.incomplete(100) == 331);
  CHECK(limit.feed(long_one.substr(331) + header(101) + "pp") == fine);
  CHECK(limit.incomplete(100) == 34);
  CHECK(limit.feed(std::string(99, 'p') + header(100)) == fine);
  CHECK(limit.incomplete(100) == 0);
}

TEST_CASE("the longest payload is known as soon as it is announced") {
  frame_limit limit{1000};
  limit.feed(header(300) + std::string(300, 'p') + header(20));
  CHECK(limit.longest() == 300);
  limit.feed(std::string(20, 'p') + header(900));
  CHECK(limit.longest() == 900);
}

TEST_CASE("a process speaks in its own name only, and to this process only") {
  const auto feed = [](const std::string& bytes) {
    frame_limit whole{1000, "them", "us"};
    const auto fault = whole.feed(bytes);
    frame_limit bit_by_bit{1000, "them", "us"};
    auto found = fine;
    for (std::size_t i = 0; i < bytes.size() && found == fine; ++i)
      found = bit_by_bit.feed({&bytes[i], 1});
    CHECK(found == fault);
    return fault;
  };
  for (const char handshake : {'\0', '\1'}) {
    CHECK(feed(frame(handshake, "them and more") + frame(handshake, "them")) == fine);
    CHECK(feed(frame(handshake, "others")) == foreign);
    CHECK(feed(frame(handshake, "the")) == foreign);
    CHECK(feed(frame(handshake, "them") + frame(handshake, "thee")) == foreign);
    CHECK(feed(header(0, handshake)) == foreign);
  }
  for (const char both : {'\3', '\4', '\5'}) {
    CHECK(feed(frame(both, "themus and more")) == fine);
    CHECK(feed(frame(both, "themuz and more")) == foreign);
    CHECK(feed(frame(both, "uzthem and more")) == foreign);
    CHECK(feed(frame(both, "themu")) == foreign);
  }
  CHECK(feed(frame('\2', "anything") + header(0, '\6')) == fine);
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
