#include "support/core_cluster.hpp"

// Part of core_cluster: sending and delivery of messages.
namespace troupe::testing {

void core_cluster::send(message m) {
  if (random_.unit() < options_.loss)
    return;
  if (random_.unit() < options_.duplication)
    bag_.push_back(m);
  bag_.push_back(std::move(m));
}

void core_cluster::deliver() {
  if (bag_.empty())
    return;
  auto i = static_cast<std::size_t>(random_.below(bag_.size()));
  if (options_.keeps_order)
    for (std::size_t k = 0; k < i; ++k)
      if (bag_[k].same_link(bag_[i]))
        i = k;
  auto m = std::move(bag_[i]);
  bag_.erase(bag_.begin() + static_cast<std::ptrdiff_t>(i));
  std::visit([&](auto& what) { receive(m, what); }, m.what);
}

void core_cluster::receive(const message& m, commit_request& request) {
  std::vector<granted_placement> granted;
  auto reply = owners[m.owner].commit(request, granted, now);
  auto gone = owners[m.owner].evicted().begin();
  for (const auto& p : granted) {
    REQUIRE(owner_of(p.machine) == m.owner);
    for (auto n = p.evicted; n > 0; --n, ++gone)
      evict(*gone, p);
    REQUIRE_FALSE(finished.contains(p.task));
    REQUIRE(runs_.emplace(p.task, p).second);
  }
  REQUIRE(gone == owners[m.owner].evicted().end());
  send({false, m.scheduler, m.owner, std::move(reply)});
}

void core_cluster::receive(const message& m, commit_reply& reply) {
  for (auto& [to, request] : schedulers[m.scheduler].answer(reply, now))
    send({true, m.scheduler, to, std::move(request)});
}

void core_cluster::receive(const message& m, sync_update& update) {
  schedulers[m.scheduler].refresh(std::move(update), now);
}

void core_cluster::receive(const message& m, task_report& report) {
  const auto seen = schedulers[m.scheduler].report(report);
  send({true, m.scheduler, m.owner, seen_note{m.scheduler, seen}});
}

void core_cluster::receive(const message& m, resource_offer& offer) {
  schedulers[m.scheduler].offer(offer);
  if (!deciding_[m.scheduler])
    decide(m.scheduler);
}

void core_cluster::receive(const message& m, offer_recall& recall) {
  auto& s = schedulers[m.scheduler];
  if (deciding_[m.scheduler] && s.takes_back(recall)) {
    s.withdraw(now);
    deciding_[m.scheduler] = false;
  }
  answer(m.scheduler, s.recall(recall));
}

void core_cluster::receive(const message& m, capacity_report& report) {
  const auto seen = allocator->book(report, now);
  send({true, 0, m.owner, capacity_seen{seen}, leg::from_allocator});
}

void core_cluster::receive(const message& m, capacity_seen& seen) {
  owners[m.owner].outbox()->seen(seen.number, now);
}

void core_cluster::answer(scheduler_id s, std::optional<offer_answer> reply) {
  if (reply)
    send({false, s, 0, std::move(*reply), leg::to_allocator});
}

void core_cluster::take_all_back() {
  for (int i = 0; i < 10; ++i) {
    now += std::chrono::seconds{3};
    for (scheduler_id s = 0; s < options_.schedulers; ++s)
      decide(s);
    recall();
    while (!bag_.empty())
      deliver();
  }
  CHECK(allocator->next_recall() == instant::max());
  for (machine_id m = 0; m < machines_->machines(); ++m)
    CHECK(allocator->free(m) == machines_->machine(m).capacity);
}

void core_cluster::recall() {
  for (auto& [to, recall] : allocator->recalls(now))
    send({false, to, 0, recall, leg::from_allocator});
}

void core_cluster::evict(const evicted_task& gone, const placement& by) {
  const auto it = runs_.find(gone.task);
  REQUIRE(it != runs_.end());
  REQUIRE(it->second.machine == by.machine);
  REQUIRE(it->second.priority < by.priority);
  evicted_.push_back({gone.task, gone.machine, task_outcome::preempted, now, gone.grant});
  runs_.erase(it);
  ++evictions;
}

void core_cluster::sync() {
  if (allocator) {
    for (auto& [to, offer] : allocator->offer(now))
      send({false, to, 0, std::move(offer), leg::from_allocator});
    recall();
  }
  if (allocator || options_.exclusive)
    return;
  ++round_;
  for (auto& o : owners)
    o.sync(
      plan_, round_, now, [](scheduler_id) { return true; },
      [&](scheduler_id s, sync_update update) {
        send({false, s, o.id(), std::move(update)});
      });
}

void core_cluster::report(owner_id o) {
  for (auto& [to, report] : owners[o].reports(now))
    send({false, to, o, std::move(report)});
  if (auto* outbox = owners[o].outbox())
    if (auto report = outbox->report(now))
      send({false, 0, o, std::move(*report), leg::to_allocator});
}

void core_cluster::send_again() {
  for (auto& o : owners)
    for (auto& [to, report] : o.overdue(now, std::chrono::seconds{1}))
      send({false, to, o.id(), std::move(report)});
  for (auto& o : owners)
    if (auto* outbox = o.outbox())
      for (auto& report : outbox->overdue(now, std::chrono::seconds{1}))
        send({false, 0, o.id(), std::move(report), leg::to_allocator});
  for (auto& s : schedulers) {
    s.repeat_revival();
    for (auto& [to, request] : s.overdue(now))
      send({true, s.id(), to, std::move(request)});
  }
  for (auto& o : owners)
    o.release_silent(now - options_.hold_timeout, now);
}

} // namespace troupe::testing
