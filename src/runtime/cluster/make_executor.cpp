#include "runtime/cluster/make_executor.hpp"

#include "actors/machine/emulated_executor.hpp"

namespace troupe {

std::shared_ptr<node_executor> make_executor(const run_settings& settings, bool one_thread) {
  return std::make_shared<emulated_executor>(settings.executor.tick, one_thread);
}

} // namespace troupe
