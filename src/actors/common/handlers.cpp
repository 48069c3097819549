#include "actors/common/handlers.hpp"

#include "model/base/log.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/message_view.hpp>
#include <caf/scheduled_actor.hpp>
#include <caf/sec.hpp>

namespace troupe {

namespace {

std::string describe(const caf::scheduled_actor* self) {
  return std::string{self->name()} + "#" + std::to_string(self->id());
}

} // namespace

void install_handlers(caf::scheduled_actor* self) {
  self->set_default_handler(
    [](caf::scheduled_actor* me, caf::message_view& what) -> caf::result<caf::message> {
      log::warn("{}: unexpected message {}", describe(me),
                caf::to_string(what.copy_content_to_message()));
      return caf::sec::unexpected_message;
    });
  self->set_down_handler([](caf::scheduled_actor* me, caf::down_msg& down) {
    log::debug("{}: a monitored actor is down: {}", describe(me), me->system().render(down.reason));
  });
  self->set_error_handler([](caf::scheduled_actor* me, caf::error& what) {
    log::warn("{}: {}", describe(me), me->system().render(what));
  });
  self->set_exception_handler([](caf::scheduled_actor* me, std::exception_ptr& what) -> caf::error {
    try {
      std::rethrow_exception(what);
    } catch (const std::exception& e) {
      log::error("{} ends: {}", describe(me), e.what());
      return caf::make_error(caf::sec::runtime_error, std::string{e.what()});
    } catch (...) {
      log::error("{} ended with an exception of unknown type", describe(me));
    }
    return caf::sec::runtime_error;
  });
}

} // namespace troupe
