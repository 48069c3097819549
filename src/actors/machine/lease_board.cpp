#include "actors/machine/lease_board.hpp"

#include <algorithm>

namespace troupe {

lease_board::entry* lease_board::find(role what, std::uint32_t number) {
  auto& members = what == role::owner ? owners_ : schedulers_;
  return number < members.size() ? &members[number] : nullptr;
}

void lease_board::obeys(const obeyed_member& member) {
  const std::lock_guard lock{mutex_};
  if (auto* of = find(member.what, member.number))
    of->incarnation = std::max(of->incarnation, member.incarnation);
}

void lease_board::append(role what, const std::vector<entry>& from,
                         std::vector<obeyed_member>& to) {
  for (std::uint32_t n = 0; n < from.size(); ++n)
    if (from[n].incarnation > 0)
      to.push_back({what, n, from[n].incarnation});
}

std::vector<lease_board::obeyed_member> lease_board::obeyed() const {
  const std::lock_guard lock{mutex_};
  std::vector<obeyed_member> all;
  append(role::owner, owners_, all);
  append(role::scheduler, schedulers_, all);
  return all;
}

void lease_board::grant(const process_lease& lease) {
  const std::lock_guard lock{mutex_};
  auto* of = find(lease.from, lease.number);
  if (of == nullptr || lease.answers_as != of->incarnation)
    return;
  const bool is_later =
    !of->lease || lease.answers_as > of->lease->answers_as ||
    (lease.answers_as == of->lease->answers_as && lease.answers > of->lease->answers);
  if (!is_later)
    return;
  of->lease = std::make_shared<const process_lease>(lease);
  if (lease.from == role::owner)
    ++of->version;
  else
    of->version = ++of_schedulers_;
}

std::vector<std::shared_ptr<const process_lease>>
lease_board::leases_after(std::uint64_t& version) const {
  const std::lock_guard lock{mutex_};
  std::vector<std::shared_ptr<const process_lease>> all;
  for (const auto& s : schedulers_)
    if (s.version > version)
      all.push_back(s.lease);
  version = this->version();
  return all;
}

std::shared_ptr<const process_lease> lease_board::owner_lease_after(std::uint32_t owner,
                                                                    std::uint64_t& version) const {
  if (owner >= owners_.size() || owners_[owner].version.load(std::memory_order_acquire) <= version)
    return nullptr;
  const std::lock_guard lock{mutex_};
  version = owners_[owner].version;
  return owners_[owner].lease;
}

} // namespace troupe
