#pragma once

#include "actors/plugin/plugin_books.hpp"
#include "actors/plugin/plugin_records.hpp"
#include "actors/plugin/queues/machine_notices.hpp"
#include "actors/plugin/queues/open_requests.hpp"
#include "actors/plugin/queues/reservation_names.hpp"
#include "actors/plugin/queues/sent_tasks.hpp"
#include "actors/plugin/queues/stolen_reservations.hpp"

#include <memory>
#include <utility>

namespace troupe {

struct queue_plugin_rules {
  scheduler_id id = 0;
  std::uint32_t group = 0; ///< that it belongs to
  instant warmup{0};       ///< jobs submitted earlier are left out of the times of jobs
};

/// The state that several steps of a queue plugin's member change, as classes that each keep their
/// own part of it consistent. A step brings them in line when a task changes its place.
struct queue_plugin_tables {
  /// `catalog_` must outlive the object.
  queue_plugin_tables(const queue_plugin_rules& how, const catalog& catalog_,
                      std::unique_ptr<plugin_records> recorded)
    : rules(how),
      machines(catalog_),
      books(how.group, how.warmup, instant{0}),
      records(std::move(recorded)) {}

  queue_plugin_tables(const queue_plugin_tables&) = delete;
  queue_plugin_tables& operator=(const queue_plugin_tables&) = delete;

  /// The estimate of a job that is not over. Machines compare it with their windows, if there are
  /// any; otherwise it is 0.
  duration estimate_of(job_id job) const {
    return machines.windows() != nullptr ? books.jobs.find(job)->estimate : duration::zero();
  }

  const queue_plugin_rules rules;
  const catalog& machines;
  plugin_books books;
  std::unique_ptr<plugin_records> records; ///< null: none are kept
  queue_plugin_outbox told;
  machine_notices notices{machines, told};
  sent_tasks sent;
  open_requests requests;
  reservation_names names{books.jobs};
  stolen_reservations stolen;
};

} // namespace troupe
