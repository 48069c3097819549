#include "actors/plugin/queues/open_requests.hpp"

#include <doctest/doctest.h>

using namespace troupe;

TEST_CASE("each request of a machine is answered once") {
  open_requests requests;
  requests.add(2, {8, 0}, {1, 3});
  requests.add(2, {8, 0}, {1, 3});
  CHECK(requests.has(2, {8, 0}));
  CHECK_FALSE(requests.has(2, {8, 1}));
  CHECK_FALSE(requests.has(3, {8, 0}));
  CHECK(requests.take(2, {8, 0}) == reserved_group{1, 3});
  CHECK(requests.has(2, {8, 0}));
  requests.take(2, {8, 0});
  CHECK_FALSE(requests.has(2, {8, 0}));
}

TEST_CASE("a machine that is gone has asked for nothing") {
  open_requests requests;
  for (const machine_id m : {1, 2, 3})
    requests.add(m, {8, 0}, {8, 0});
  requests.forget(2);
  CHECK(requests.has(1, {8, 0}));
  CHECK_FALSE(requests.has(2, {8, 0}));
  CHECK(requests.has(3, {8, 0}));
}
