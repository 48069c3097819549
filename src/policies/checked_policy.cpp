#include "policies/checked_policy.hpp"

#include "policies/placement_check.hpp"
#include "policies/plugin_call.hpp"

#include <exception>

namespace troupe {

template <class Call>
void checked_policy::call(const char* name, Call body) {
  if (failed_)
    return;
  const plugin_call inside{label_, name};
  try {
    body();
  } catch (const std::exception& e) {
    fail(name, std::string("threw: ") + e.what());
  } catch (...) {
    fail(name, "threw an object that is not a std::exception");
  }
}

checked_policy::checked_policy(const maker& make, std::string label, fault_handler on_fault)
  : label_(std::move(label)), on_fault_(std::move(on_fault)) {
  call("make", [&] { inner_ = make(); });
  if (!failed_ && inner_ == nullptr)
    fail("make", "made no policy");
  call("is_exhaustive", [&] { exhaustive_ = inner_->is_exhaustive(); });
}

void checked_policy::fail(const char* call, const std::string& why) {
  failed_ = true;
  on_fault_(label_ + ": " + call + "() " + why);
}

std::optional<machine_id> checked_policy::pick(const view& seen, const task_request& task,
                                               decision_context& context) {
  std::optional<machine_id> picked;
  call("pick", [&] { picked = inner_->pick(seen, task, context); });
  if (!picked || failed_)
    return std::nullopt;
  if (const auto problem = problem_with(seen, task, *picked); !problem.empty()) {
    fail("pick", "returned " + problem);
    return std::nullopt;
  }
  return picked;
}

void checked_policy::learn(std::span<const placement_outcome> outcomes) {
  call("learn", [&] { inner_->learn(outcomes); });
}

} // namespace troupe
