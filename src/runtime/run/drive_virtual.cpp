#include "runtime/run/drive.hpp"
#include "runtime/run/virtual_run.hpp"

#include <caf/scoped_actor.hpp>

#include <stdexcept>

namespace troupe {

namespace {

void flush(caf::actor_system& system, virtual_coordinator& time, const cluster& c,
           run_monitor& monitor) {
  caf::scoped_actor self{system};
  auto answer = self->request(c.recorder, caf::infinite, flush_atom_v);
  time.settle();
  if (time.stopped())
    end_instant(time, monitor);
  answer.receive([](caf::ok_atom) {},
                 [&](caf::error& e) { throw std::runtime_error(system.render(e)); });
}

} // namespace

drive_outcome drive_virtual(const run_settings& settings, const std::shared_ptr<run_record>& record,
                            run_monitor& monitor) {
  virtual_run run{settings, record, monitor};
  const auto options = run.options();
  const auto c = wire(run.system(), settings, options);
  const stopper at_end{c};
  start(run.system(), c, settings, options);
  return run.go([&](instant until) { run.time().run_until(until); },
                [&](drive_outcome&) { flush(run.system(), run.time(), c, monitor); });
}

} // namespace troupe
