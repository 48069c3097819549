#include "nodes/agent/hosted/resident_actors.hpp"

#include <caf/all.hpp>

#include <algorithm>

namespace troupe {

void resident_actors::put(const address& who, caf::strong_actor_ptr handle) {
  living_[who] = handle;
  node_.mail->settle(who, std::move(handle));
  node_.hooks.on_change();
}

void resident_actors::remove(const address& who) {
  living_.erase(who);
  node_.mail->leave(who);
}

std::vector<address> resident_actors::end(party kind, const std::function<bool(role)>& which) {
  std::vector<address> ended;
  std::erase_if(living_, [&](const auto& l) {
    if (l.first.kind != kind || !which(l.first.what))
      return false;
    caf::anon_send_exit(l.second, caf::exit_reason::user_shutdown);
    node_.mail->leave(l.first);
    ended.push_back(l.first);
    return true;
  });
  return ended;
}

std::vector<member_entry> resident_actors::members() const {
  std::vector<member_entry> here;
  for (const auto& [who, _] : living_)
    if (who.kind == party::member)
      here.push_back({who.what, who.number, who.incarnation});
  return here;
}

std::vector<member_entry> resident_actors::members(role what) const {
  auto here = members();
  std::erase_if(here, [&](const member_entry& m) { return m.what != what; });
  return here;
}

std::uint32_t resident_actors::count(role what) const {
  return static_cast<std::uint32_t>(
    std::ranges::count_if(living_, [&](const auto& l) { return l.first.what == what; }));
}

} // namespace troupe
