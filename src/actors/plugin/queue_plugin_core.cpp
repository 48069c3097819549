#include "actors/plugin/queue_plugin_core.hpp"

#include <stdexcept>
#include <string>

namespace troupe {

void queue_plugin_core::check_balance() const {
#ifdef TROUPE_CHECKS
  if (!counters().balanced())
    throw std::logic_error("the tasks of scheduler " + std::to_string(parts_.rules.id) +
                           " do not balance");
#endif
}

void queue_plugin_core::watch_failures(std::uint32_t retries, instant begin) {
  parts_.runs.watch_failures(retries);
  parts_.books.counters().begin(begin);
}

std::vector<queue_plugin_core::plugin_message> queue_plugin_core::take_told() {
  check_balance();
  return parts_.notices.begun() ? parts_.told.take() : std::vector<plugin_message>{};
}

void queue_plugin_core::remove(machine_id machine, instant now, sparrow_outbox& out) {
  parts_.changes.remove(machine, now, out);
  check_balance();
}

void queue_plugin_core::book(const task_news& news, sparrow_outbox& out) {
  for (const auto& s : news.started)
    parts_.runs.start(s);
  for (const auto& e : news.ended)
    parts_.runs.end(e, out);
  check_balance();
}

task_places queue_plugin_core::places() const {
  using place = plugin_jobs::place;
  task_places in;
  in.told = true;
  in.queued = jobs().count(place::held) + jobs().count(place::queued);
  in.in_commit = jobs().count(place::in_commit);
  in.running = jobs().count(place::running);
  return in;
}

void queue_plugin_core::visit_running(
  const std::function<void(const task_id&, machine_id)>& tell) const {
  parts_.sent.visit([&](const task_id& task, machine_id machine) {
    if (jobs().at(task).at == plugin_jobs::place::running)
      tell(task, machine);
  });
}

} // namespace troupe
