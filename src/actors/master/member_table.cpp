#include "actors/master/member_table.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Every incarnation of a master gives incarnation numbers from a range of its own, above those of
/// earlier masters, since it may not know all numbers that they gave. There is room for
/// `most_masters` of them.
constexpr incarnation_id first_incarnation(incarnation_id master) {
  return (master - 1) << 6;
}

/// Where a standby lives: nodes number their standbys from their own number on.
constexpr std::uint32_t node_of(std::uint32_t standby) {
  return standby >> 16;
}

} // namespace

member_table::member_table(std::vector<member_entry> places, const member_rules& rules, instant now)
  : rules_(rules), started_(now) {
  membership_.master = rules.master;
  for (const auto& p : places)
    places_.push_back({p, now, false, false});
  publish();
}

void member_table::publish() {
  ++membership_.version;
  membership_.entries.clear();
  for (const auto& p : places_)
    membership_.entries.push_back(p.who);
}

const member_table::place* member_table::find(role what, std::uint32_t number) const {
  const auto it = std::ranges::find_if(
    places_, [&](const place& p) { return p.who.what == what && p.who.number == number; });
  return it == places_.end() ? nullptr : &*it;
}

member_table::place* member_table::find(role what, std::uint32_t number) {
  return const_cast<place*>(std::as_const(*this).find(what, number));
}

void member_table::learn(const std::vector<member_entry>& known) {
  bool changed = false;
  for (const auto& e : known)
    if (auto* at = find(e.what, e.number); at != nullptr && e.incarnation > at->who.incarnation) {
      at->who.incarnation = e.incarnation;
      at->shown = false;
      changed = true;
    }
  if (changed)
    publish();
}

bool member_table::knows_stores() const {
  if (rules_.master == 1)
    return true;
  for (std::uint32_t w = 0; w < rules_.stores; ++w)
    if (std::ranges::find(told_, std::pair{role::workload, w}) == told_.end())
      return false;
  return true;
}

bool member_table::all_have_shown(role what) const {
  const auto expected = what == role::owner ? rules_.first_owners : rules_.first_schedulers;
  const auto with_place =
    std::ranges::count_if(appointed_, [what](const auto& of) { return of.first.first == what; });
  const auto others =
    std::ranges::count_if(standbys_, [what](const standby& c) { return c.what == what; });
  return expected > 0 && with_place + others >= expected;
}

bool member_table::has_place(const member_entry& who, instant now) const {
  const auto as = appointed_.find({who.what, who.number});
  if (as == appointed_.end())
    return false;
  const auto* at = find(who.what, as->second.as.number);
  // Nodes that are started anew number their standbys as they did before.
  const bool is_gone = at->shown && now - at->heard >= rules_.timeout;
  return at->who.incarnation == as->second.as.incarnation && !is_gone;
}

heartbeat_reply member_table::hear(const member_heartbeat& heartbeat, instant now) {
  const std::pair teller{heartbeat.who.what,
                         heartbeat.standby ? ~heartbeat.who.number : heartbeat.who.number};
  if (!heartbeat.knows.empty()) {
    learn(heartbeat.knows);
    if (std::ranges::find(told_, teller) == told_.end())
      told_.push_back(teller);
  }
  const bool has_told =
    rules_.master == 1 || heartbeat.standby || std::ranges::find(told_, teller) != told_.end();
  heartbeat_reply answer{rules_.master, membership_.version, heartbeat.sent, !has_told};
  if (heartbeat.standby) {
    if (has_place(heartbeat.who, now))
      return answer;
    const auto it = std::ranges::find_if(standbys_, [&](const standby& c) {
      return c.what == heartbeat.who.what && c.number == heartbeat.who.number;
    });
    if (it == standbys_.end())
      standbys_.push_back({heartbeat.who.what, heartbeat.who.number, now});
    else
      it->heard = now;
    return answer;
  }
  learn({heartbeat.who});
  const bool vouches = heartbeat.who.what != role::scheduler || knows_stores();
  if (auto* at = find(heartbeat.who.what, heartbeat.who.number); at != nullptr) {
    if (at->who.incarnation == heartbeat.who.incarnation) {
      at->heard = now;
      at->shown = true;
    }
    if (at->who.incarnation != heartbeat.who.incarnation || !vouches) {
      answer.answers = instant{0}; // a replaced member gets no lease
    }
  }
  answer.version = membership_.version;
  return answer;
}

std::optional<std::uint32_t> member_table::take_standby(role what, instant now) {
  std::erase_if(standbys_, [&](const standby& c) { return now - c.heard >= rules_.timeout; });
  std::map<std::uint32_t, std::size_t> filled; // by node
  for (const auto& [who, as] : appointed_) {
    const auto* at = find(as.as.what, as.as.number);
    if (who.first == what && at != nullptr && at->who.incarnation == as.as.incarnation)
      ++filled[node_of(who.second)];
  }
  // One that has missed a heartbeat may have died with the member that it would replace; or nothing
  // reaches the master, and the member is there.
  const auto is_there = [&](const standby& c) { return now - c.heard < rules_.timeout / 2; };
  const auto rank = [&](const standby& c) { return filled[node_of(c.number)]; };
  auto it = standbys_.end();
  for (auto c = standbys_.begin(); c != standbys_.end(); ++c)
    if (c->what == what && is_there(*c) && (it == standbys_.end() || rank(*c) < rank(*it)))
      it = c;
  if (it == standbys_.end())
    return std::nullopt;
  const auto number = it->number;
  standbys_.erase(it);
  return number;
}

void member_table::let_go(role what, std::uint32_t number) {
  if (auto* at = find(what, number); at != nullptr)
    at->leaves = true;
}

std::optional<promotion> member_table::appointed(role what, std::uint32_t number) const {
  const auto it = appointed_.find({what, number});
  if (it == appointed_.end())
    return std::nullopt;
  const auto* at = find(what, it->second.as.number);
  if (at == nullptr || at->shown || at->who.incarnation != it->second.as.incarnation)
    return std::nullopt;
  return it->second;
}

std::vector<member_table::appointment> member_table::check(instant now) {
  std::vector<appointment> made;
  // A restarted master waits for twice the time in which all members can show up, except for
  // schedulers that have been let go: incarnations of its own are above those that it does not
  // know.
  const bool waits = rules_.master > 1 && now - started_ < 2 * rules_.timeout;
  for (auto& p : places_) {
    const bool replaceable = p.who.what == role::owner || p.who.what == role::scheduler;
    const bool is_first = p.who.incarnation == 0 && rules_.master == 1;
    const bool due = now - p.heard >= rules_.timeout || (is_first && all_have_shown(p.who.what));
    if (!replaceable || (!due && !p.leaves))
      continue;
    if (waits && !(p.leaves && p.who.what == role::scheduler && knows_stores()))
      continue;
    // A new owner serves the schedulers of its membership, which must not be earlier incarnations.
    if (p.who.what == role::owner && !knows_stores())
      continue;
    const auto by = take_standby(p.who.what, now);
    if (!by)
      continue;
    p.who.incarnation = std::max(p.who.incarnation + 1, first_incarnation(rules_.master));
    const auto why = is_first   ? vacancy::never_filled
                     : p.leaves ? vacancy::let_go
                                : vacancy::silent;
    const auto heard = std::exchange(p.heard, now);
    p.shown = p.leaves = false;
    const auto lease = is_first ? duration::zero() : heard + rules_.owner_lease - now;
    publish();
    made.push_back({*by, {p.who, std::max<duration>(lease, duration::zero()), {}}, why});
    appointed_[{p.who.what, *by}] = made.back().what;
  }
  for (auto& m : made) {
    m.what.now = membership_;
    appointed_[{m.what.as.what, m.standby}] = m.what;
  }
  return made;
}

} // namespace troupe
