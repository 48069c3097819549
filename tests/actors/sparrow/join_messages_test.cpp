#include "actors/protocol/messages.hpp"
#include "actors/queue/join_messages.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

template <class Message>
caf::mailbox_element_ptr element(const Message& message) {
  return caf::make_mailbox_element(nullptr, caf::make_message_id(), {}, message);
}

get_task_request request(machine_id machine) {
  return {1, 0, machine, machine, -1};
}

} // namespace

TEST_CASE("requests are joined in their order") {
  auto first = element(request(0));
  for (machine_id m = 1; m < 50; ++m)
    REQUIRE(join_requests(first, *element(request(m))));
  REQUIRE(first->content().match_elements<task_requests>());
  const auto& all = first->content().get_as<task_requests>(0).all;
  REQUIRE(all.size() == 50);
  for (machine_id m = 0; m < 50; ++m)
    CHECK(all[m].machine == m);
}

TEST_CASE("other messages are left alone") {
  auto one = element(request(0));
  CHECK_FALSE(join_requests(one, *element(probe_answer{1, 2, 3})));
  CHECK(one->content().match_elements<get_task_request>());
  auto other = element(probe_answer{1, 2, 3});
  CHECK_FALSE(join_requests(other, *element(request(0))));
  CHECK(other->content().match_elements<probe_answer>());
  auto many = element(request(0));
  REQUIRE(join_requests(many, *element(request(1))));
  CHECK_FALSE(join_requests(many, *element(probe_answer{1, 2, 3})));
  CHECK(many->content().get_as<task_requests>(0).all.size() == 2);
}

TEST_CASE("a cancellation and the answer to a request of its job become one order, no others") {
  const auto joined = [](const cancellation& first, const task_assignment& next) {
    auto element_of_first = element(first);
    const bool is_joined = join_orders(element_of_first, *element(next));
    CHECK(element_of_first->content().match_elements<task_assignment>() == is_joined);
    if (is_joined) {
      const auto& both = element_of_first->content().get_as<task_assignment>(0);
      CHECK(both.none == next.none);
      CHECK(both.group == next.group);
      CHECK(both.order.task == next.order.task);
      CHECK(both.order.launcher == next.order.launcher);
      CHECK(both.cancels);
    }
    return is_joined;
  };
  CHECK(joined({2, 7}, {true, 3, {{7, 0}, 2, {}, {}}}));
  CHECK(joined({2, 7}, {false, 0, {{7, 5}, 2, {}, {}}}));
  CHECK_FALSE(joined({2, 7}, {true, 3, {{8, 0}, 2, {}, {}}}));
  CHECK_FALSE(joined({2, 7}, {true, 3, {{7, 0}, 1, {}, {}}}));
  auto answer = element(task_assignment{true, 3, {{7, 0}, 2, {}, {}}});
  CHECK_FALSE(join_orders(answer, *element(cancellation{2, 7}))); // the other way round
}
