#include "nodes/registry/gateway_clocks.hpp"

#include "model/base/log.hpp"
#include "nodes/clocks/utc_clock.hpp"

#include <caf/all.hpp>

#include <cstdlib>
#include <utility>

namespace troupe {

namespace {

/// A greater difference distorts measured delays, which are some ms without overload.
constexpr std::int64_t most_apart = 10'000'000;

std::int64_t time_here(gateway_pointer self) {
  const auto& time = self->state.config.time;
  return time ? time() : utc_ns();
}

double to_ms(std::int64_t ns) {
  return static_cast<double>(ns) / 1e6;
}

void judge(gateway_pointer self, node_connection& connection) {
  const auto best = connection.clock.best();
  if (!best)
    return;
  const bool apart = best->at_least() > most_apart;
  if (apart == std::exchange(connection.clock_apart, apart))
    return;
  if (apart)
    log::warn(
      "master: the clock of node {} is {:.1f} ms {} that of {} (error at most {:.1f} ms); delays "
      "between them are wrong by this much: expected clocks that NTP or PTP synchronises",
      connection.name, to_ms(std::abs(best->ahead)), best->ahead > 0 ? "ahead of" : "behind",
      self->state.config.who.name, to_ms(best->error));
  else
    log::info("master: the clock of node {} agrees with that of {} again (error at most {:.1f} ms)",
              connection.name, self->state.config.who.name, to_ms(best->error));
}

} // namespace

void ask_for_time(gateway_pointer self) {
  for (const auto& [name, connection] : self->state.connections)
    if (connection.handle)
      self->send(connection.handle, node_clock{time_here(self), 0, 0});
}

void tell_time(gateway_pointer self, const node_clock& word) {
  const auto now = time_here(self);
  auto* connection = connection_of_sender(self);
  if (connection == nullptr)
    return;
  if (word.received == 0) {
    self->send(connection->handle, node_clock{word.asked, now, time_here(self)});
    return;
  }
  connection->clock.add(word.asked, word.received, word.answered, now);
  judge(self, *connection);
}

void note_clocks(gateway_pointer self, std::vector<node_report>& reports) {
  for (const auto& [name, connection] : self->state.connections) {
    const auto* entry = self->state.book->find(name);
    const auto best = connection.clock.best();
    if (entry == nullptr || !best || !connection.handle)
      continue;
    for (auto& r : reports)
      if (r.index == entry->index) {
        r.clock_known = true;
        r.clock_ahead_ns = best->ahead;
        r.clock_error_ns = best->error;
      }
  }
}

} // namespace troupe
