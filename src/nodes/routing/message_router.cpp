#include "nodes/routing/message_router.hpp"

#include "model/base/log.hpp"
#include "nodes/routing/node_messages.hpp"

#include <caf/all.hpp>
#include <caf/monitorable_actor.hpp>

#include <algorithm>
#include <set>

namespace troupe {

namespace {

/// The most that an outbox reserves for its next batch, in bytes.
constexpr std::size_t batch_reserve = std::size_t{1} << 18;

/// Represents an actor on another node.
class far_actor final : public caf::monitorable_actor {
public:
  far_actor(caf::actor_config& cfg, std::weak_ptr<message_router> through,
            const troupe::address& from, const troupe::address& to)
    : caf::monitorable_actor(cfg), through_(std::move(through)), from_(from), to_(to) {}

  const char* name() const override { return "far-actor"; }

  void enqueue(caf::mailbox_element_ptr what, caf::execution_unit*) override {
    if (const auto through = through_.lock())
      through->send(to_, from_, what->mid.integer_value(), what->content());
  }

private:
  std::weak_ptr<message_router> through_;
  troupe::address from_;
  troupe::address to_;
};

} // namespace

// -- locations of members -----------------------------------------------------------------------

void message_router::settle(const address& who, caf::strong_actor_ptr handle) {
  const std::unique_lock lock{mutex_};
  if (who.kind == party::member && who.what == role::machine) {
    if (machines_.size() <= who.number)
      machines_.resize(who.number + 1);
    machines_[who.number] = {true, 0, std::move(handle)};
    ++machine_moves_;
    return;
  }
  homes_[key_of(who)][who.incarnation] = {true, 0, std::move(handle)};
}

void message_router::leave(const address& who) {
  const std::unique_lock lock{mutex_};
  if (who.kind == party::member && who.what == role::machine) {
    if (who.number < machines_.size() && machines_[who.number].here)
      machines_[who.number] = {true, 0, nullptr};
    ++machine_moves_;
    drop_stand_ins([&](const address& from, const address&) { return from == who; });
    return;
  }
  const auto it = homes_.find(key_of(who));
  if (it != homes_.end()) {
    it->second.erase(who.incarnation);
    if (it->second.empty())
      homes_.erase(it);
  }
  drop_stand_ins([&](const address& from, const address& to) { return from == who || to == who; });
  for (const auto& o : outboxes_) {
    const std::lock_guard guard{o->mutex};
    std::erase_if(o->encoders, [&](const auto& e) { return e.first.second == who; });
    std::erase_if(o->decoders, [&](const auto& d) { return d.first.first == who; });
  }
}

std::vector<member_entry> message_router::residents() const {
  const std::shared_lock lock{mutex_};
  std::vector<member_entry> all;
  for (const auto& [who, incarnations] : homes_)
    for (const auto& [incarnation, at] : incarnations)
      if (at.here && who.first == party::member)
        all.push_back({who.second.first, who.second.second, incarnation});
  return all;
}

peer_id message_router::peer(const std::string& name) {
  const std::unique_lock lock{mutex_};
  const auto [it, is_new] = names_.emplace(name, static_cast<peer_id>(outboxes_.size()));
  if (is_new) {
    outboxes_.push_back(std::make_unique<outbox>());
    outboxes_.back()->name = name;
  }
  return it->second;
}

void message_router::learn(peer_id where, const std::vector<member_entry>& members) {
  const std::unique_lock lock{mutex_};
  std::size_t before = 0;
  for (auto& [who, incarnations] : homes_)
    if (who.first == party::member)
      before += std::erase_if(
        incarnations, [&](const auto& l) { return !l.second.here && l.second.where == where; });
  for (const auto& m : members) {
    auto& at = homes_[{party::member, {m.what, m.number}}][m.incarnation];
    if (!at.here)
      at = {false, where, nullptr};
  }
  std::erase_if(homes_, [](const auto& h) { return h.second.empty(); });
  if (before > 0)
    drop_lost_stand_ins();
  if (where >= outboxes_.size())
    return;
  auto& to = *outboxes_[where];
  const std::lock_guard guard{to.mutex};
  std::erase_if(to.encoders, [&](const auto& e) { return locate(e.first.first) == nullptr; });
}

void message_router::expect(snapshot_sizes sizes) {
  const std::unique_lock lock{mutex_};
  sizes_ = std::move(sizes);
}

void message_router::learn_machines(peer_id where, machine_id first, std::uint32_t count) {
  const std::unique_lock lock{mutex_};
  if (machines_.size() < first + count)
    machines_.resize(first + count);
  for (auto m = first; m < first + count; ++m) {
    auto& at = machines_[m];
    if ((at.here && at.handle) || (!at.here && at.where == where))
      continue;
    at = {false, where, nullptr};
    ++machine_moves_;
  }
}

void message_router::connect(peer_id where) {
  const std::shared_lock lock{mutex_};
  auto& to = *outboxes_.at(where);
  const std::lock_guard guard{to.mutex};
  to.connected = true;
  to.encoders.clear();
  to.decoders.clear();
}

void message_router::disconnect(peer_id where) {
  const std::unique_lock lock{mutex_};
  for (auto& [who, incarnations] : homes_)
    if (who.first != party::member)
      std::erase_if(incarnations,
                    [&](const auto& l) { return !l.second.here && l.second.where == where; });
  std::erase_if(homes_, [](const auto& h) { return h.second.empty(); });
  drop_lost_stand_ins();
  auto& to = *outboxes_.at(where);
  const std::lock_guard guard{to.mutex};
  to.connected = false;
  std::string{}.swap(to.bytes);
  std::string{}.swap(to.urgent);
  to.encoders.clear();
  to.decoders.clear();
}

const message_router::home* message_router::locate(const address& who) const {
  if (who.kind == party::member && who.what == role::machine) {
    const auto* found = who.number < machines_.size() ? &machines_[who.number] : nullptr;
    return found != nullptr &&
               (found->here ? found->handle != nullptr : found->where < outboxes_.size())
             ? found
             : nullptr;
  }
  const auto it = homes_.find(key_of(who));
  if (it == homes_.end() || it->second.empty())
    return nullptr;
  if (who.incarnation == 0)
    return &it->second.rbegin()->second;
  const auto incarnation = it->second.find(who.incarnation);
  return incarnation == it->second.end() ? nullptr : &incarnation->second;
}

bool message_router::knows(const address& who) const {
  const std::shared_lock lock{mutex_};
  return locate(who) != nullptr;
}

std::optional<std::string> message_router::node_of(const address& who) const {
  const std::shared_lock lock{mutex_};
  const auto* at = locate(who);
  if (at == nullptr)
    return std::nullopt;
  return at->here ? "" : outboxes_.at(at->where)->name;
}

incarnation_id message_router::incarnation_of(const address& who) const {
  const std::shared_lock lock{mutex_};
  const auto it = homes_.find(key_of(who));
  return it == homes_.end() || it->second.empty() ? 0 : it->second.rbegin()->first;
}

// -- mail ---------------------------------------------------------------------------------------

caf::strong_actor_ptr message_router::find(const address& from, const address& to) {
  {
    const std::shared_lock lock{mutex_};
    const auto* at = locate(to);
    if (at == nullptr)
      return nullptr;
    if (at->here)
      return at->handle;
  }
  return stand_in(from, to);
}

caf::strong_actor_ptr message_router::stand_in(const address& from, const address& to) {
  const std::lock_guard guard{stand_ins_mutex_};
  auto& entry = stand_ins_[{from, to}];
  if (!entry) {
    caf::actor_config cfg{system_.dummy_execution_unit()};
    entry = caf::make_actor<far_actor, caf::strong_actor_ptr>(
      system_.next_actor_id(), system_.node(), &system_, cfg, weak_from_this(), from, to);
  }
  return entry;
}

template <class Predicate>
void message_router::drop_stand_ins(Predicate what) {
  std::vector<caf::strong_actor_ptr> dropped; // they end without the lock
  const std::lock_guard guard{stand_ins_mutex_};
  std::erase_if(stand_ins_, [&](const auto& s) {
    if (!what(s.first.first, s.first.second))
      return false;
    dropped.push_back(s.second);
    return true;
  });
}

/// Drops those for incarnations that are not known any more. Others may still hold them.
void message_router::drop_lost_stand_ins() {
  drop_stand_ins([&](const address&, const address& to) {
    const bool stays =
      to.kind == party::member && (to.what == role::machine || to.incarnation == 0);
    return !stays && locate(to) == nullptr;
  });
}

std::size_t message_router::stand_ins() const {
  const std::lock_guard guard{stand_ins_mutex_};
  return stand_ins_.size();
}

void message_router::send(const address& to, const address& from, std::uint64_t id,
                          const caf::type_erased_tuple& content) {
  const std::shared_lock lock{mutex_};
  const auto* at = locate(to);
  if (at == nullptr || at->here) {
    ++dropped_;
    return;
  }
  auto& into = *outboxes_[at->where];
  bool was_empty = false;
  {
    const std::lock_guard guard{into.mutex};
    if (!into.connected || into.bytes.size() + into.urgent.size() > outbox_limit) {
      into.encoders.clear();
      ++dropped_;
      return;
    }
    auto& bytes_to = caf::message_id{id}.is_urgent_message() ? into.urgent : into.bytes;
    const auto before = bytes_to.size();
    was_empty = into.bytes.empty() && into.urgent.empty();
    const auto write = [&](const caf::type_erased_tuple& what) {
      return write_envelope(system_, bytes_to, to, from, id, what);
    };
    const bool is_sync = content.match_elements<sync_update>();
    const auto shape =
      is_sync
        ? write(caf::make_message(into.encoders[{to, from}].encode(content.get_as<sync_update>(0))))
        : write(content);
    if (!shape) {
      log::error("message router: a message from {} to {} cannot be sent: {}", to_string(from),
                 to_string(to), content.stringify());
      return;
    }
    const auto bytes = bytes_to.size() - before;
    ++envelopes_sent_;
    bytes_sent_ += bytes;
    if (is_sync)
      sync_bytes_ += bytes;
  }
  if (was_empty)
    on_mail(at->where);
}

std::string message_router::take(peer_id where) {
  const std::shared_lock lock{mutex_};
  auto& from = *outboxes_.at(where);
  const std::lock_guard guard{from.mutex};
  // The next batch is probably as long as this one.
  auto rest = std::exchange(from.bytes, {});
  from.bytes.reserve(std::min(rest.size(), batch_reserve));
  auto all = std::exchange(from.urgent, {});
  if (all.empty())
    return rest;
  all += rest;
  return all;
}

sync_update message_router::decode(peer_id from, const envelope& p) {
  const std::shared_lock lock{mutex_};
  const auto& delta = p.content.get_as<sync_delta>(0);
  if (p.to.kind != party::member || p.to.what != role::scheduler || p.from.kind != party::member ||
      p.from.what != role::owner || p.from.number >= sizes_.owners)
    throw std::runtime_error("snapshots from " + to_string(p.from) + " to " + to_string(p.to) +
                             "; expected an owner and a scheduler");
  auto& of = *outboxes_.at(from);
  const std::lock_guard guard{of.mutex};
  auto& known = of.decoders[{p.to, p.from.number}];
  if (p.from.incarnation < known.incarnation) // from an owner that has been replaced
    return {delta.owner, delta.round, delta.commits_seen, {}, delta.used};
  if (p.from.incarnation > known.incarnation)
    known = {p.from.incarnation, {}};
  return known.decoder.decode(delta, sizes_);
}

void message_router::receive(peer_id from, const std::string& bytes, caf::execution_unit* host) {
  envelope_reader reader{system_, bytes};
  while (auto p = reader.next()) {
    ++envelopes_received_;
    // Recorders and standbys may be reached on the node from which their messages come.
    if (p->from.kind != party::member) {
      const std::unique_lock lock{mutex_};
      auto& at = homes_[key_of(p->from)][p->from.incarnation];
      if (!at.here)
        at = {false, from, nullptr};
    }
    caf::strong_actor_ptr receiver;
    {
      const std::shared_lock lock{mutex_};
      const auto* at = locate(p->to);
      if (at != nullptr && at->here)
        receiver = at->handle;
    }
    if (!receiver) {
      ++dropped_;
      continue;
    }
    if (p->content.match_elements<sync_delta>())
      p->content = caf::make_message(decode(from, *p));
    // Machines, and actors that send them orders, do not use the sender of a message.
    const bool of_machine = p->from.what == role::machine && p->from.kind == party::member;
    auto sender = of_machine || (p->to.what == role::machine && p->to.kind == party::member)
                    ? caf::strong_actor_ptr{}
                    : stand_in(p->to, p->from);
    receiver->get()->eq_impl(caf::message_id{p->id}, std::move(sender), host,
                             std::move(p->content));
  }
}

std::size_t message_router::snapshot_streams() const {
  const std::shared_lock lock{mutex_};
  std::size_t n = 0;
  for (const auto& o : outboxes_) {
    const std::lock_guard guard{o->mutex};
    n += o->encoders.size() + o->decoders.size();
  }
  return n;
}

router_counts message_router::counts() const {
  return {envelopes_sent_, bytes_sent_, sync_bytes_, envelopes_received_, dropped_};
}

} // namespace troupe
