#include "settings/checks/check.hpp"
#include "settings/toml/toml_text.hpp"

#include <algorithm>
#include <string_view>

namespace troupe {

namespace {

void check_own_share(const run_settings& s, sharing own_share, const std::string& prefix,
                     problems& found) {
  if (own_share == sharing::hard && s.cluster.partitions < s.schedulers)
    found.conflict(prefix, "scheduler.own_share", to_toml_value(own_share),
                   "none or soft, as " + std::to_string(s.cluster.partitions) +
                     " partitions are too few for " + std::to_string(s.schedulers) +
                     " schedulers to have one each",
                   {"cluster.partitions", "architecture"});
  if (s.sync.plan == sync_plan_kind::exclusive && s.schedulers > 1 && own_share != sharing::hard)
    found.conflict(prefix, "scheduler.own_share", to_toml_value(own_share),
                   "hard, as sync.plan = \"exclusive\" lets no two schedulers place tasks on the "
                   "same machines",
                   {"sync.plan", "architecture"});
}

void check_preemption(const run_settings& s, const scheduler_settings& of,
                      const std::string& prefix, problems& found) {
  if (of.preemption &&
      (s.sync.plan == sync_plan_kind::offers || s.sync.plan == sync_plan_kind::none))
    found.conflict(prefix, "scheduler.preemption", "true",
                   "false, as sync.plan = \"" + to_string(s.sync.plan) +
                     "\" does not tell schedulers which tasks run on the machines",
                   {"sync.plan", "architecture"});
}

} // namespace

void check_sharing(const run_settings& s, problems& found) {
  if (s.pool > 0) {
    check_own_share(s, s.scheduler.own_share, "", found);
    check_preemption(s, s.scheduler, "", found);
  } else {
    const bool given = found.document_has("groups.0");
    for (std::size_t i = 0; i < s.groups.size(); ++i) {
      const auto prefix = given ? "groups." + std::to_string(i) + "." : "";
      check_own_share(s, s.groups[i].scheduler.own_share, prefix, found);
      check_preemption(s, s.groups[i].scheduler, prefix, found);
    }
  }
  const bool alone =
    s.sync.plan == sync_plan_kind::exclusive || s.sync.plan == sync_plan_kind::offers;
  if (alone && s.owner.detection == conflict_detection::coarse)
    found.conflict("", "owner.detection", to_toml_value(s.owner.detection),
                   "fine, as sync.plan = \"" + to_string(s.sync.plan) +
                     "\" leaves no conflicts to detect",
                   {"sync.plan", "architecture"});
}

} // namespace troupe
