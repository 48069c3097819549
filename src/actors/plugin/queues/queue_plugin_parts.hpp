#pragma once

#include "actors/plugin/queues/queue_job_intake.hpp"
#include "actors/plugin/queues/queue_machine_changes.hpp"
#include "actors/plugin/queues/queue_order_faults.hpp"
#include "actors/plugin/queues/queue_plugin_orders.hpp"

namespace troupe {

/// The classes that a queue plugin's member consists of: its tables, and the steps that change
/// them. A step keeps only state that no other step looks at, and calls steps before it only.
struct queue_plugin_parts : queue_plugin_tables {
  using queue_plugin_tables::queue_plugin_tables;

  // -- what the plugin sends --------------------------------------------------------------------
  queue_job_intake intake{*this};
  queue_order_faults faults{*this};
  entries_kept_apart apart{*this};
  queue_plugin_orders orders{*this, apart};

  // -- what machines tell -----------------------------------------------------------------------
  machine_drains drains{*this, apart};
  queue_task_runs runs{*this, apart, drains};
  reservation_moves moves{*this};
  queue_machine_changes changes{*this, apart, drains, runs, moves};
};

} // namespace troupe
