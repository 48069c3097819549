#pragma once

#include "model/protocol/fault.hpp"

#include <array>
#include <cstdint>
#include <string_view>

/// The choices in the settings of failures that are not enums of the model.
namespace troupe {

/// The distribution of the time to failure.
enum class lifetime_kind : std::uint8_t { exponential, weibull };

template <>
struct choice_names<lifetime_kind> {
  static constexpr std::array<std::string_view, 2> value{"exponential", "weibull"};
};

/// The failures that `troupe chaos` draws: of a member with a role, of the network, or of a machine
/// that is drained.
enum class chaos_kind : std::uint8_t {
  machine,
  owner,
  scheduler,
  master,
  allocator,
  cut,
  loss,
  delay,
  drain,
};

template <>
struct choice_names<chaos_kind> {
  static constexpr std::array<std::string_view, 9> value{
    name_of(role::machine),    name_of(role::owner),       name_of(role::scheduler),
    name_of(role::master),     name_of(role::allocator),   name_of(fault_kind::cut),
    name_of(fault_kind::loss), name_of(fault_kind::delay), name_of(fault_kind::drain)};
};

} // namespace troupe
