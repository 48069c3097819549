#pragma once

#include "actors/common/run_clock.hpp"
#include "actors/protocol/handles.hpp"
#include "model/cluster/catalog.hpp"
#include "support/model_builders.hpp"
#include "support/virtual_time.hpp"

#include <caf/all.hpp>
#include <doctest/doctest.h>

#include <memory>
#include <utility>
#include <vector>

/// Neighbours for the actor under test: each keeps what it is sent, and when.
namespace troupe::test {

using namespace std::chrono_literals;

using world = virtual_time;

/// What came when.
template <class Message>
using inbox = std::vector<std::pair<instant, Message>>;

struct owner_inbox {
  inbox<commit_request> commits;
  inbox<sync_round> rounds;
  inbox<task_ends> ends;
  inbox<report_seen> seen;
  inbox<capacity_seen> acknowledged;
};

struct scheduler_inbox {
  inbox<submission> submissions;
  inbox<commit_reply> replies;
  inbox<sync_update> updates;
  inbox<task_report> reports;
  inbox<resource_offer> offers;
  inbox<offer_recall> recalls;
};

/// Puts what comes into `into`.
template <class Message>
auto keep(inbox<Message>& into, caf::local_actor* self) {
  return [&into, self](const Message& what) {
    into.emplace_back(virtual_clock::to_instant(self->clock().now()), what);
  };
}

inline owner_actor::behavior_type fake_owner(owner_actor::pointer self, owner_inbox* got) {
  return {[](const peers&) {},
          keep(got->commits, self),
          keep(got->rounds, self),
          keep(got->ends, self),
          keep(got->seen, self),
          keep(got->acknowledged, self),
          [](const machine_capacity&) {},
          [](report_atom) {},
          [](resend_atom) {},
          [](wake_atom) {},
          [](sample_atom) { return owner_status{}; },
          [](flush_atom) { return owner_status{}; },
          [](heartbeat_atom) {},
          [](const heartbeat_reply&) {},
          [](const membership&) {},
          [](const machine_heartbeat&) {},
          [](const process_heartbeat&) {},
          [](const capacity_call&) {},
          [](const sample_request&) { return owner_status{}; }};
}

inline placing_scheduler_actor::behavior_type fake_scheduler(placing_scheduler_actor::pointer self,
                                                             scheduler_inbox* got) {
  return {[](const peers&) {},
          keep(got->submissions, self),
          [](sample_atom) { return scheduler_status{}; },
          keep(got->replies, self),
          keep(got->updates, self),
          keep(got->reports, self),
          keep(got->offers, self),
          keep(got->recalls, self),
          [](const policy_choice&) {},
          [](decided_atom) {},
          [](wake_atom) {},
          [](resend_atom) {},
          [](heartbeat_atom) {},
          [](const heartbeat_reply&) {},
          [](const membership&) {},
          [](const owner_statement&) {},
          [](const job_delivery&) {},
          [](const store_seen&) {},
          [](const sample_request&) { return scheduler_status{}; }};
}

/// Returns what a scheduler counted, all groups of jobs together.
inline scheduler_sample sum_of(const scheduler_status& status) {
  scheduler_sample sum;
  for (const auto& s : status.samples)
    sum.merge(s.sample);
  return sum;
}

/// Machines that are all alike, of `slots` slots each.
inline std::shared_ptr<const catalog> slot_machines(std::uint32_t machines, std::int32_t slots,
                                                    std::uint32_t partitions) {
  std::vector<machine_info> all(machines);
  for (auto& m : all)
    m.capacity = resources::of_slots(slots);
  return std::make_shared<const catalog>(std::move(all), std::vector<machine_kind>{{"machine", {}}},
                                         partitions, resources::of_slots(1));
}

inline task_id task(std::uint32_t index, job_id job = 1) {
  return {job, index};
}

using testing::slot_job;

template <class Handle>
caf::strong_actor_ptr pointer(const Handle& handle) {
  return caf::actor_cast<caf::strong_actor_ptr>(handle);
}

/// Asks `actor` and runs what is ready until the answer is there.
template <class Answer, class Handle, class... Question>
Answer ask(world& w, const Handle& actor, const Question&... question) {
  caf::scoped_actor self{w.system()};
  auto request = self->request(actor, caf::infinite, question...);
  w.settle();
  Answer answer{};
  bool came = false;
  request.receive(
    [&](const Answer& x) {
      answer = x;
      came = true;
    },
    [](const caf::error&) {});
  REQUIRE(came);
  return answer;
}

} // namespace troupe::test
