#include "actors/sparrow/machine_links.hpp"

#include <algorithm>

namespace troupe {

// -- sessions -----------------------------------------------------------------------------------

void machine_links::begin(const queue_report& report) {
  auto& with = links_[report.machine];
  const bool due = with.due;
  with = {};
  with.due = due;
  with.incarnation = report.incarnation;
  with.joined = true;
  with.changes = !report.capacity.empty();
  const auto session = queue_session_number(incarnation_, report.incarnation);
  with.orders.reset(session);
  with.events.reset(session,
                    report.first_event - 1); // the message includes the effects of earlier ones
  ++joined_;
}

void machine_links::refuse(machine_id machine, incarnation_id incarnation) {
  links_[machine].incarnation = incarnation + 1;
}

void machine_links::end(machine_id machine) {
  auto& with = links_[machine];
  leaving_ -= with.leaves;
  with.joined = with.busy = with.leaves = false;
  ++with.incarnation;
  with.orders.reset(queue_session_number(incarnation_, with.incarnation));
  --joined_;
}

void machine_links::note(link& from, const queue_report& report, instant now) {
  from.heard = now;
  if (report.sent >= from.answers) {
    from.answers = report.sent;
    from.busy = report.busy;
  }
  from.orders.acknowledge(from.orders.session(), report.orders_seen, now);
}

process_lease machine_links::hear(const process_heartbeat& heard, instant now) {
  process_lease lease{role::scheduler, id_, incarnation_, heard.first, heard.incarnation,
                      heard.sent,      {}};
  const auto end = std::min<std::uint64_t>(std::uint64_t{heard.first} + heard.count, links_.size());
  for (auto m = heard.first; m < end; ++m) {
    auto& with = links_[m];
    if (with.joined && with.incarnation >= heard.incarnation) { // else of another process
      with.heard = now;
      continue;
    }
    auto& except = lease.except;
    if (except.empty() || except.back().first + except.back().count != m)
      except.push_back({m, 0});
    ++except.back().count;
  }
  return lease;
}

void machine_links::settle(machine_id machine, incarnation_id incarnation, std::uint64_t end) {
  auto& from = links_[machine];
  if (from.incarnation == incarnation)
    from.ends_done = std::max(from.ends_done, end);
}

bool machine_links::is_silent(machine_id machine, instant moved, instant now) const {
  const auto& with = links_[machine];
  const auto since = std::max({with.heard, with.busy_since, moved});
  return with.joined && (with.waits() || with.leaves) && now - since >= rules_.machine_timeout;
}

// -- messages to machines -----------------------------------------------------------------------

void machine_links::tell(machine_id machine) {
  if (!std::exchange(links_[machine].due, true))
    due_.push_back(machine);
}

void machine_links::order(machine_id machine, queue_order what, instant now) {
  auto& to = links_[machine];
  if (!to.joined)
    return;
  if (!to.waits())
    to.busy_since = now;
  to.orders.put(std::move(what));
  tell(machine);
}

void machine_links::tell_overdue(instant now) {
  for (machine_id m = 0; m < links_.size(); ++m)
    if (const auto& with = links_[m];
        with.joined && (with.owes() || with.orders.due(now, rules_.patience)))
      tell(m);
}

void machine_links::call(bool also_changing) {
  const auto all = static_cast<machine_id>(links_.size());
  auto left = rules_.calls == 0 ? all : rules_.calls;
  for (machine_id n = 0; n < all && left > 0; ++n) {
    const auto m = next_call_;
    next_call_ = m + 1 < all ? m + 1 : 0;
    rounds_ += next_call_ == 0;
    if (const auto& with = links_[m];
        with.joined && (!also_changing || !with.changes || with.waits()))
      continue;
    tell(m);
    --left;
  }
}

queue_orders machine_links::orders_to(machine_id machine) const {
  const auto& to = links_[machine];
  queue_orders orders{id_,
                      incarnation_,
                      machine,
                      to.incarnation,
                      to.joined,
                      to.answers,
                      to.events.seen(),
                      to.ends_done,
                      1,
                      {}};
  orders.first_order = to.orders.last() + 1;
  return orders;
}

std::vector<queue_orders> machine_links::due_orders(instant now) {
  std::vector<queue_orders> all;
  for (const auto machine : std::exchange(due_, {})) {
    auto& to = links_[machine];
    to.due = false;
    to.events.answered();
    to.ends_told = to.ends_done;
    auto run = to.orders.next(now, rules_.patience);
    do {
      auto orders = orders_to(machine);
      if (run) {
        orders.first_order = run->first;
        orders.orders = std::move(run->items);
        run = to.orders.next(now, rules_.patience);
      }
      all.push_back(std::move(orders));
    } while (run);
  }
  return all;
}

} // namespace troupe
