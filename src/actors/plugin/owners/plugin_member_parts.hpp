#pragma once

#include "actors/plugin/owners/plugin_commit_intake.hpp"
#include "actors/plugin/owners/plugin_reconciliation.hpp"
#include "actors/plugin/owners/plugin_takeover.hpp"

namespace troupe {

/// The classes that a member of a plugin of the protocol `owners` consists of: its tables, and the
/// steps that change them. A step keeps only state that no other step looks at, and calls steps
/// before it only.
struct plugin_member_parts : plugin_member_tables {
  using plugin_member_tables::plugin_member_tables;

  // -- tasks ------------------------------------------------------------------------------------
  shown_room room{*this};
  plugin_task_ends ends{*this, room};
  plugin_job_intake intake{*this, room};
  plugin_task_locations locations{*this, room, intake, ends};

  // -- commits ----------------------------------------------------------------------------------
  plugin_owner_reports reports{*this, room, locations};
  plugin_commit_sender sender{*this};
  plugin_commit_answers answers{*this, reports};
  spread_guard spread{*this};
  plugin_commit_intake orders{*this, spread, sender, answers};

  // -- failures ---------------------------------------------------------------------------------
  plugin_reconciliation sessions{*this, room, locations, reports, sender, answers};
  plugin_takeover earlier{*this, room, intake, locations, reports};
};

} // namespace troupe
