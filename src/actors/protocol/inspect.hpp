#pragma once

#include "model/base/distribution.hpp"

#include <caf/deserializer.hpp>
#include <caf/detail/stringification_inspector.hpp>
#include <caf/error.hpp>
#include <caf/meta/load_callback.hpp>
#include <caf/meta/type_name.hpp>
#include <caf/none.hpp>
#include <caf/sec.hpp>
#include <caf/serializer.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <variant>

/// How CAF 0.17 reads and writes our values: the only place that spells its inspector API out.
namespace troupe {

/// Inspects a struct: its name, then its fields.
template <class Inspector, class... Fields>
auto inspect_fields(Inspector& f, const char* name, Fields&... fields) {
  return f(caf::meta::type_name(name), fields...);
}

/// Inspects a struct that has floating-point fields as well. Those travel as bit patterns: CAF 0.17
/// does not terminate on infinity and does not keep every other value.
template <class Inspector, class Fields, class... Doubles>
auto inspect_exactly(Inspector& f, const char* name, Fields fields,
                     std::tuple<Doubles&...> doubles) {
  auto bits = std::apply(
    [](auto&... xs) { return std::array{std::bit_cast<std::uint64_t>(xs)...}; }, doubles);
  auto restore = [&]() -> caf::error {
    std::size_t i = 0;
    std::apply([&](auto&... xs) { ((xs = std::bit_cast<double>(bits[i++])), ...); }, doubles);
    return caf::none;
  };
  return std::apply(
    [&](auto&... xs) {
      return f(caf::meta::type_name(name), xs..., bits, caf::meta::load_callback(restore));
    },
    fields);
}

/// Inspects one of several values: the index of its type, then the value.
template <class Inspector, class... Types>
typename Inspector::result_type inspect(Inspector& f, std::variant<Types...>& x) {
  constexpr auto name = caf::meta::type_name("one_of");
  auto index = static_cast<std::uint8_t>(x.index());
  if constexpr (Inspector::writes_state) {
    if (auto e = f(name, index))
      return e;
    if (index >= sizeof...(Types))
      return caf::make_error(caf::sec::invalid_argument);
    constexpr std::array<void (*)(std::variant<Types...>&), sizeof...(Types)> make{
      [](std::variant<Types...>& to) { to.template emplace<Types>(); }...};
    make[index](x);
    return std::visit([&](auto& value) { return f(name, value); }, x);
  } else {
    return std::visit([&](auto& value) { return f(name, index, value); }, x);
  }
}

template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, moments& x) {
  return inspect_exactly(f, "moments", std::tie(x.count),
                         std::tie(x.sum, x.sum_of_squares, x.min, x.max));
}

template <class Inspector>
typename Inspector::result_type inspect(Inspector& f, distribution& x) {
  auto bins = x.bins();
  std::array bits{std::bit_cast<std::uint64_t>(x.sum()), std::bit_cast<std::uint64_t>(x.min()),
                  std::bit_cast<std::uint64_t>(x.max())};
  auto restore = [&]() -> caf::error {
    x = distribution::from_parts(std::bit_cast<double>(bits[0]), std::bit_cast<double>(bits[1]),
                                 std::bit_cast<double>(bits[2]), bins);
    return caf::none;
  };
  return f(caf::meta::type_name("distribution"), bits, bins, caf::meta::load_callback(restore));
}

/// Declares, with `extern` as the link, or compiles the inspection of a type by CAF. It is compiled
/// once, since it would take a third of the time to compile each file that sends messages.
#define TROUPE_INSPECTION(Link, Type)                                                              \
  Link template caf::error inspect(caf::serializer&, Type&);                                       \
  Link template caf::error inspect(caf::deserializer&, Type&);                                     \
  Link template void inspect(caf::detail::stringification_inspector&, Type&)

TROUPE_INSPECTION(extern, moments);
TROUPE_INSPECTION(extern, distribution);

} // namespace troupe
