#include "runtime/run/virtual_run.hpp"

#include "actors/plugin/scheduler_plugin.hpp"
#include "actors/protocol/register_messages.hpp"
#include "runtime/run/huge_pages.hpp"

#include <utility>

namespace troupe {

virtual_run::system_config::system_config(const run_settings& settings) {
  reserve_heap(memory_of(settings));
  register_messages(*this);
  register_plugin_types(*this);
  virtual_time_settings of_time;
  of_time.seed = settings.seed;
  virtual_coordinator::load(*this, of_time);
}

virtual_run::virtual_run(const run_settings& settings, std::shared_ptr<run_record> record,
                         run_monitor& monitor)
  : settings_(settings), record_(std::move(record)), monitor_(monitor), config_(settings) {}

assembly_options virtual_run::options() {
  return {{system_.clock().now()}, record_, true};
}

drive_outcome virtual_run::go(const std::function<void(instant)>& go_to,
                              const std::function<void(drive_outcome&)>& finish) {
  drive_outcome outcome;
  const watched_run watched{time_, settings_, *record_, watch_, monitor_};
  outcome.interrupted = run_intervals(time_, settings_, *record_, watch_, monitor_, go_to);
  monitor_.watch({});
  tap_.finish();
  finish(outcome);
  outcome.messages = time_.counters().messages;
  return outcome;
}

} // namespace troupe
