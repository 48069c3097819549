#include "actors/offers/allocator_core.hpp"

#include "model/cluster/present_capacity.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace troupe {

namespace {

template <class Amounts>
Amounts least(Amounts a, const Amounts& b) {
  for (std::size_t k = 0; k < resource_kinds; ++k)
    a.amount[k] = std::min(a.amount[k], b.amount[k]);
  return a;
}

} // namespace

allocator_core::allocator_core(const catalog& machines, std::vector<double> weights,
                               std::vector<std::uint32_t> group_of, const offer_rules& rules)
  : machines_(&machines),
    rules_(rules),
    drf_(present_capacity(machines), std::move(weights)),
    parts_(machines.machines()),
    listed_(machines.machines()),
    frameworks_(group_of.size()),
    starvation_(group_of.size()),
    used_(machines.machines()),
    meter_(group_of, present_capacity(machines)) {
  free_.reserve(machines.machines());
  for (machine_id m = 0; m < machines.machines(); ++m) {
    free_.push_back(machines.machine(m).capacity);
    all_free_ += free_.back();
    list(m);
  }
  for (std::size_t f = 0; f < group_of.size(); ++f) {
    frameworks_[f].group = group_of[f];
    frameworks_[f].refused.resize(machines.machines());
  }
}

allocator_core allocator_core::unaware(const catalog& machines, std::vector<double> weights,
                                       std::vector<std::uint32_t> group_of,
                                       const offer_rules& rules, std::uint32_t incarnation,
                                       instant now) {
  allocator_core core{machines, std::move(weights), std::move(group_of), rules};
  for (machine_id m = 0; m < machines.machines(); ++m)
    core.release(m, resources{} - core.free_[m]);
  for (auto& f : core.frameworks_)
    f.latest = first_offer(incarnation);
  core.meter_.begin(now);
  return core;
}

bool allocator_core::state(const capacity_statement& what, instant now) {
  if (knows(what.owner))
    return false;
  account(now);
  for (const auto& [m, amount] : what.free)
    release(m, amount);
  for (const auto& [m, f, amount] : what.running)
    drf_.give(f, amount);
  reports_of(what.owner).reset(session_of(what.number), what.number);
  return true;
}

void allocator_core::look_at_machines() {
  const auto& growth = machines_->growth();
  const auto version = growth ? growth->capacity_version() : 0;
  if (!growth || std::exchange(growth_, version) == version)
    return;
  const auto capacity = present_capacity(*machines_);
  drf_.set_capacity(capacity);
  meter_.set_capacity(capacity);
}

void allocator_core::list(machine_id m) {
  listed_[m] = !free_[m].is_zero() && !free_[m].any_negative();
}

bool allocator_core::filtered(const framework& f, machine_id m, instant now) const {
  return f.suppresses || f.withheld || awaits_answers(f) || refused(f, m, now);
}

bool allocator_core::refused(const framework& f, machine_id m, instant now) const {
  const auto& [at, what] = f.refused[m];
  if (what.is_zero())
    return false;
  return (now < at + rules_.filter && what.fits(free_[m])) ||
         (parts_[m] > 0 && now < at + offer_rules::part_patience &&
          rules_.filter < offer_rules::part_patience);
}

/// Whether the framework has gangs, and an amount may be enough for one of them.
bool allocator_core::gangs_fit(const framework& f, const resource_sum& amount) {
  return f.gangs && amount != resource_sum{} && holds_all(amount, f.wants);
}

/// Whether a gang of the framework fits what is free only together with what the framework is
/// offered now. Until it has answered it gets nothing more: otherwise its offers, each of a part,
/// could go back and forth by turns and never be free at once. A framework that hoards adds parts
/// up itself, unless each part times out when the next one is offered: its offers are then in vain.
bool allocator_core::awaits_answers(const framework& f) const {
  if (!f.gangs || f.open.empty())
    return false;
  if (rules_.hoarding)
    return f.in_vain > 0;
  auto together = all_free_;
  for (const auto& o : f.open)
    together += o.total;
  return gangs_fit(f, together) && !gangs_fit(f, all_free_);
}

bool allocator_core::may_want_all(const framework& f, instant now) const {
  constexpr std::uint32_t most = 6;
  const auto next = f.given_all_in + (std::uint64_t{1} << std::min(f.in_vain, most));
  return gangs_fit(f, all_free_) && !f.withheld && !(rules_.hoarding && awaits_answers(f)) &&
         ((f.freed != freed_ && rounds_ >= next) || now >= f.given_all + rules_.filter);
}

/// Whether all that is free may end the starvation of a framework's gangs. `wants` is a sum: enough
/// of it may be free in parts of machines that are too small for a task. If an offer of all was in
/// vain, the next one therefore has the resources of all open offers.
bool allocator_core::may_end_starvation(const framework& f) const {
  return gangs_fit(f, all_free_) &&
         (f.in_vain == 0 ||
          std::ranges::all_of(frameworks_, [](const framework& of) { return of.open.empty(); }));
}

void allocator_core::note_starvation(instant now) {
  auto room = all_free_;
  if (std::ranges::any_of(frameworks_, &framework::gangs))
    for (const auto& f : frameworks_)
      for (const auto& o : f.open)
        if (rules_.hoarding || now - o.made < gang_starvation::longest_wait)
          room += o.total;
  for (scheduler_id id = 0; id < frameworks_.size(); ++id)
    starvation_.note(id, gangs_fit(frameworks_[id], room), now);
}

/// Returns who wants all, if nobody has a lower share to whom something could be offered.
std::optional<scheduler_id> allocator_core::whose_gangs_may_fit(instant now) {
  if (std::ranges::none_of(frameworks_, [&](const auto& f) { return may_want_all(f, now); }))
    return std::nullopt;
  const auto may_be_offered = [&](const framework& f) {
    for (auto m = listed_.find_first(); m != listed_.npos; m = listed_.find_next(m))
      if (!filtered(f, static_cast<machine_id>(m), now))
        return true;
    return false;
  };
  auto lowest = std::numeric_limits<double>::infinity(); // of whom something could be offered
  for (auto id : drf_.order()) {
    if (drf_.relative_share(id) > lowest)
      break;
    const auto& f = frameworks_[id];
    if (may_want_all(f, now))
      return id;
    if (drf_.relative_share(id) < lowest && may_be_offered(f))
      lowest = drf_.relative_share(id);
  }
  return std::nullopt;
}

void allocator_core::hold(scheduler_id f, machine_id m, open_offer& lot) {
  lot.machines.push_back({m, free_[m]});
  lot.total += free_[m];
  drf_.give(f, free_[m]);
  all_free_ -= free_[m];
  free_[m] = {};
  ++parts_[m];
  listed_.reset(m);
}

allocator_core::outgoing_offers allocator_core::offer(instant now) {
  account(now);
  look_at_machines();
  ++rounds_;
  std::vector<open_offer> lots(frameworks_.size());
  const auto each_free = [this](auto look, std::size_t from = 0) {
    const auto first = from == 0 ? listed_.find_first() : listed_.find_next(from - 1);
    for (auto m = first; m != listed_.npos; m = listed_.find_next(m))
      look(static_cast<machine_id>(m));
    for (auto m = listed_.find_first(); m < from; m = listed_.find_next(m))
      look(static_cast<machine_id>(m));
  };
  const auto give_all = [&](scheduler_id to) {
    frameworks_[to].freed = freed_;
    frameworks_[to].given_all = now;
    frameworks_[to].given_all_in = rounds_;
    lots[to].all = true;
    if (may_end_starvation(frameworks_[to]))
      starvation_.offered_all(to, now);
    each_free([&](machine_id m) { hold(to, m, lots[to]); });
  };
  note_starvation(now);
  if (const auto starving = starvation_.waits_for(now)) {
    if (may_end_starvation(frameworks_[*starving]))
      give_all(*starving);
  } else if (const auto gangs = whose_gangs_may_fit(now)) {
    give_all(*gangs);
  } else if (rules_.whole) {
    const auto order = drf_.order();
    for (auto f : order) {
      each_free([&](machine_id m) {
        if (!filtered(frameworks_[f], m, now))
          hold(f, m, lots[f]);
      });
      if (!lots[f].machines.empty())
        break;
    }
  } else {
    const auto offer_to_first = [&](machine_id m) {
      for (auto f : drf_.order())
        if (!filtered(frameworks_[f], m, now)) {
          hold(f, m, lots[f]);
          break;
        }
    };
    each_free(offer_to_first, first_);
    first_ = static_cast<std::size_t>(order_.below(free_.size()));
  }
  outgoing_offers out;
  for (scheduler_id f = 0; f < lots.size(); ++f)
    if (auto& to = frameworks_[f];
        !lots[f].machines.empty() || ((to.returns || to.withheld) && to.open.empty())) {
      auto& lot = lots[f];
      lot.id = ++to.latest;
      lot.made = lot.asked = now;
      meter_.lock(to.group, lot.total);
      ++meter_.of(to.group).made;
      to.open.push_back(std::move(lot));
      out.emplace_back(f, resource_offer{to.latest, to.settled_below(), to.open.back().machines});
    }
  return out;
}

void allocator_core::release(machine_id m, const resources& amount) {
  free_[m] += amount;
  all_free_ += amount;
  list(m);
}

void allocator_core::settle(scheduler_id id, const open_offer& offer, instant now) {
  auto& f = frameworks_[id];
  meter_.unlock(f.group, offer.total);
  bool used_some = false;
  resource_sum all_left;
  for (const auto& [m, amount] : offer.machines) {
    auto left = amount;
    --parts_[m];
    if (!used_[m].is_zero()) {
      const auto used = least(used_[m], amount);
      used_[m] -= used;
      left -= used;
      used_some = used_some || !used.is_zero();
    }
    if (left.is_zero())
      continue;
    all_left += left;
    release(m, left);
    f.refused[m] = {now, left};
  }
  drf_.take_back(id, all_left);
  if (offer.all)
    f.in_vain = used_some ? 0 : f.in_vain + 1;
  auto& sample = meter_.of(f.group);
  ++(used_some ? sample.accepted : offer.timed_out ? sample.rescinded : sample.declined);
}

/// Whatever a framework used beyond its offers is not free either.
void allocator_core::charge_rest(const offer_answer& reply) {
  for (const auto& used : reply.used) {
    auto& rest = used_[used.machine];
    if (rest.is_zero())
      continue;
    drf_.give(reply.framework, rest);
    release(used.machine, resources{} - rest);
    rest = {};
  }
}

void allocator_core::answer(const offer_answer& reply, instant now) {
  auto& f = frameworks_.at(reply.framework);
  const auto answered = [&](const open_offer& o) {
    return reply.first <= o.id && o.id <= reply.last;
  };
  const bool asks = reply.first > reply.last;
  if (asks || std::ranges::any_of(f.open, answered)) {
    const bool gangs = reply.gangs || reply.wants != resource_sum{};
    if (f.wants != reply.wants || f.gangs != gangs)
      f.in_vain = 0;
    f.wants = reply.wants;
    f.gangs = gangs;
    if (f.suppresses && !reply.suppresses)
      std::ranges::fill(f.refused, refusal{});
    f.suppresses = reply.suppresses && (f.suppresses || !asks); // an old question may come late
    f.returns = asks && !reply.returned.empty();
  }
  if (std::ranges::none_of(f.open, answered))
    return;
  account(now);
  for (const auto& [m, amount] : reply.used)
    used_[m] += amount;
  for (const auto& o : f.open)
    if (answered(o))
      settle(reply.framework, o, now);
  std::erase_if(f.open, answered);
  charge_rest(reply);
  resource_sum returned;
  for (const auto& [m, amount] : reply.returned) {
    returned += amount;
    release(m, amount);
  }
  drf_.take_back(reply.framework, returned);
}

void allocator_core::book(const capacity_report& report) {
  ++freed_;
  for (const auto& [m, f, amount] : report.freed) {
    resource_sum one;
    one += amount;
    drf_.take_back(f, one);
    release(m, amount);
  }
  for (const auto& change : report.changes) {
    const auto& whole = machines_->machine(change.machine).capacity;
    release(change.machine, change.change_of(whole));
  }
}

std::uint64_t allocator_core::book(const capacity_report& report, instant now) {
  account(now);
  auto& from = reports_of(report.owner);
  from.receive(session_of(report.number), report.number, {report},
               [this](const capacity_report& next) { book(next); });
  return from.seen();
}

reliable_receiver<capacity_report>& allocator_core::reports_of(owner_id owner) {
  if (owner >= reports_.size())
    reports_.resize(owner + std::size_t{1});
  return reports_[owner];
}

std::uint64_t allocator_core::booked(owner_id owner) const {
  return owner < reports_.size() ? reports_[owner].seen() : 0;
}

/// When an offer is asked back. Frameworks that hoard keep theirs until then, so those of all are
/// asked back for one whose gangs starve: two of them could keep halves of what each needs, and be
/// offered the same halves again after each time-out.
instant allocator_core::end_of(const open_offer& offer) const {
  if (rules_.hoarding && starvation_.holds_back())
    return offer.made;
  return rules_.timeout == duration::zero() ? instant::max() : offer.made + rules_.timeout;
}

instant allocator_core::due(const open_offer& offer) const {
  const instant asks = offer.asked + rules_.ask_after;
  return offer.timed_out ? asks : std::min(asks, end_of(offer));
}

allocator_core::outgoing_recalls allocator_core::recalls(instant now) {
  outgoing_recalls out;
  for (scheduler_id id = 0; id < frameworks_.size(); ++id) {
    auto& f = frameworks_[id];
    for (auto& o : f.open)
      if (due(o) <= now) {
        o.asked = now;
        if (!o.timed_out && now >= end_of(o)) {
          o.timed_out = true;
          ++meter_.of(f.group).timed_out;
        }
        out.emplace_back(id, offer_recall{o.id, f.settled_below(), o.timed_out});
      }
  }
  return out;
}

instant allocator_core::next_recall() const {
  auto next = instant::max();
  for (const auto& f : frameworks_)
    for (const auto& o : f.open)
      next = std::min(next, due(o));
  return next;
}

allocator_status allocator_core::take_sample(instant now) {
  account(now);
  return meter_.take();
}

} // namespace troupe
