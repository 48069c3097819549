#pragma once

#include "policies/policy.hpp"

#include <functional>
#include <memory>
#include <string>

namespace troupe {

/// Wraps a policy from a plugin and catches its exceptions and invalid picks. Reports the first
/// fault once, as one line that names the plugin and the call. From then on it does not call the
/// policy again and picks nothing.
class checked_policy final : public placement_policy {
public:
  using fault_handler = std::function<void(const std::string&)>;
  using maker = std::function<std::unique_ptr<placement_policy>()>;

  /// `label` names the plugin: "plugin 'x' (/path/x.so)". A factory that throws, or returns null,
  /// is a fault like any other.
  checked_policy(const maker& make, std::string label, fault_handler on_fault);

  std::optional<machine_id> pick(const view& seen, const task_request& task,
                                 decision_context& context) override;
  bool is_exhaustive() const override { return exhaustive_; }
  void learn(std::span<const placement_outcome> outcomes) override;

private:
  template <class Call>
  void call(const char* name, Call body);
  void fail(const char* call, const std::string& why);

  std::unique_ptr<placement_policy> inner_;
  std::string label_;
  fault_handler on_fault_;
  bool exhaustive_ = false;
  bool failed_ = false;
};

} // namespace troupe
