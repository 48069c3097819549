#include "model/view/idle_view.hpp"

namespace troupe {

idle_view::idle_view(const catalog& machines) {
  parts.reserve(machines.partitions());
  for (partition_id p = 0; p < machines.partitions(); ++p)
    parts.emplace_back(machines, p);
}

const idle_view& catalog::idle() const {
  std::call_once(idle_.once, [this] { idle_.view = std::make_shared<const idle_view>(*this); });
  return *idle_.view;
}

} // namespace troupe
