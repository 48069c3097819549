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

caf::strong_actor_ptr member_of(const cluster& c, role what, std::uint32_t number) {
  const auto of = [&](const auto& all) -> caf::strong_actor_ptr {
    return number < all.size() ? caf::actor_cast<caf::strong_actor_ptr>(all[number]) : nullptr;
  };
  switch (what) {
  case role::owner:
    return of(c.owners);
  case role::scheduler:
    return of(c.schedulers);
  case role::machine:
    return of(*c.machine_actors);
  default:
    return nullptr;
  }
}

} // namespace

drive_outcome drive_virtual(const run_settings& settings, const std::shared_ptr<run_record>& record,
                            run_monitor& monitor, run_inspector* inspector) {
  virtual_run run{settings, record, monitor};
  auto options = run.options();
  if (inspector != nullptr)
    options.watch = inspector->watch(run.time());
  const auto c = assemble(run.system(), settings, options);
  const stopper at_end{c};
  if (inspector != nullptr)
    inspector->begin(c.machines,
                     [&c](role what, std::uint32_t number) { return member_of(c, what, number); });
  start(run.system(), c, settings, options);
  const auto go_to =
    looking([&](instant until) { run.time().run_until(until); }, run.time(), inspector);
  return run.go(go_to, [&](drive_outcome&) {
    if (inspector != nullptr)
      inspector->end(run.time().now());
    flush(run.system(), run.time(), c, monitor);
  });
}

} // namespace troupe
