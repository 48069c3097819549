#include "nodes/agent/hosted/hosted_master.hpp"

#include "actors/master/member_table.hpp"
#include "runtime/cluster/places.hpp"

#include <stdexcept>
#include <string>

namespace troupe {

namespace {

/// An allocator takes another incarnation whenever an owner or a scheduler does: each start of one
/// has room for so many. Should it need more, owners tell it which it has to be above.
constexpr incarnation_id incarnations_of_an_allocator = 64;

} // namespace

/// Returns the number of this time of a member that only the node with the master has.
incarnation_id hosted_master::next_number(const char* file) const {
  return node_.hooks.term != 0 ? node_.hooks.term : next_incarnation(node_.state / file);
}

void hosted_master::start(const std::vector<node_entry>& nodes) {
  incarnation_ = next_number(master_incarnation_file);
  if (incarnation_ > most_masters)
    throw std::runtime_error(
      "this cluster has had " + std::to_string(most_masters) +
      " masters, and there are no numbers for more; expected a new --state, or a "
      "new database, with the jobs of this one ('troupe store export', 'import')");
  members_.start_master(
    {{role::master, 0, incarnation_}, duration{0}, places_of(*cluster_.settings(), 0)}, nodes);
}

void hosted_master::start_allocator() {
  if (has_allocator_ || !cluster_.begun() || !node_.who.roles.master ||
      cluster_.settings()->sync.plan != sync_plan_kind::offers)
    return;
  if (!offers_from_ && node_.mail->knows(member_address(role::workload, 0)))
    offers_from_ = cluster_.now() + (cluster_.resumes() ? duration{0} : cluster_.lead());
  if (!offers_from_ || cluster_.now() < *offers_from_)
    return;
  has_allocator_ = true;
  members_.start(
    {{role::allocator, 0, next_number("allocator-incarnation") * incarnations_of_an_allocator},
     duration{0},
     places_of(*cluster_.settings(), 0)});
}

} // namespace troupe
