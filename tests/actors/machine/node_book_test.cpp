#include "actors/machine/node_book.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

node_status status(std::uint64_t launched, double used_seconds) {
  node_status s;
  s.launched = launched;
  s.queues.machines = 10;
  s.queues.used_seconds = used_seconds;
  s.queues.tenants.resize(2);
  s.queues.tenants[1].now.amount[0] = 5;
  return s;
}

} // namespace

TEST_CASE("what nodes have counted is summed over them") {
  node_book book;
  book.hear(1, 7, status(3, 1.5));
  book.hear(2, 7, status(4, 2));
  const auto sum = book.take();
  CHECK(sum.launched == 7);
  CHECK(sum.queues.used_seconds == 3.5);
  CHECK(sum.queues.machines == 20);
  CHECK(sum.queues.tenants[1].now.amount[0] == 10);
}

TEST_CASE("a node that does not answer keeps what it has counted, but is not there") {
  node_book book;
  book.hear(1, 7, status(3, 1.5));
  book.take();
  book.hear(2, 7, status(4, 2));
  const auto sum = book.take();
  CHECK(sum.launched == 7);
  CHECK(sum.queues.used_seconds == 3.5);
  CHECK(sum.queues.machines == 10);
  CHECK(sum.queues.tenants[1].now.amount[0] == 5);
}

TEST_CASE("a new incarnation of a node counts from zero, and sums do not decrease") {
  node_book book;
  book.hear(1, 7, status(300, 150));
  CHECK(book.take().launched == 300);
  book.hear(1, 9, status(2, 1));
  book.hear(1, 7, status(301, 151)); // late
  const auto sum = book.take();
  CHECK(sum.launched == 302);
  CHECK(sum.queues.used_seconds == 151);
  CHECK(sum.queues.machines == 10);
}
