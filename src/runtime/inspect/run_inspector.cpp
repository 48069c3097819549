#include "runtime/inspect/run_inspector.hpp"

#include "runtime/time/virtual_coordinator.hpp"

#include <utility>

namespace troupe {

std::function<void(instant)> looking(std::function<void(instant)> go_to, virtual_coordinator& time,
                                     run_inspector* inspector) {
  if (inspector == nullptr)
    return go_to;
  return [go_to = std::move(go_to), &time, inspector](instant until) {
    for (auto at = inspector->next(); at && *at <= until; at = inspector->next()) {
      if (*at > time.now())
        go_to(*at);
      if (time.stopped())
        return;
      inspector->look(time.now());
    }
    go_to(until);
  };
}

} // namespace troupe
