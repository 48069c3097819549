#pragma once

#include "model/base/cell_array.hpp"
#include "model/base/counted_units.hpp"
#include "model/base/distribution.hpp"
#include "model/base/random.hpp"

#include <caf/actor_control_block.hpp>

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// Fills and compares plain structs field by field. The fields are found by the language, not by
/// the structs' inspectors: one that an inspector forgets is noticed.
namespace troupe::test {

// -- fields -------------------------------------------------------------------------------------

namespace detail {

/// Converts to everything, for unevaluated use.
struct anything {
  template <class T>
  operator T() const;
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires {
    T{((void)I, anything{})...};
  };
}

/// A struct can be made of fewer values than it has fields.
template <class T, std::size_t N = 1>
constexpr std::size_t field_count() {
  if constexpr (takes<T>(std::make_index_sequence<N + 1>{}))
    return field_count<T, N + 1>();
  else
    return N;
}

} // namespace detail

/// Returns references to all fields of a struct that has at most 27.
template <class T>
auto fields_of(T& x) {
  constexpr auto fields = detail::field_count<std::remove_const_t<T>>();
  static_assert(fields >= 1 && fields <= 27, "add another case below");
  if constexpr (fields == 1) {
    auto& [a] = x;
    return std::tie(a);
  } else if constexpr (fields == 2) {
    auto& [a, b] = x;
    return std::tie(a, b);
  } else if constexpr (fields == 3) {
    auto& [a, b, c] = x;
    return std::tie(a, b, c);
  } else if constexpr (fields == 4) {
    auto& [a, b, c, d] = x;
    return std::tie(a, b, c, d);
  } else if constexpr (fields == 5) {
    auto& [a, b, c, d, e] = x;
    return std::tie(a, b, c, d, e);
  } else if constexpr (fields == 6) {
    auto& [a, b, c, d, e, f] = x;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (fields == 7) {
    auto& [a, b, c, d, e, f, g] = x;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (fields == 8) {
    auto& [a, b, c, d, e, f, g, h] = x;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (fields == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = x;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (fields == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (fields == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (fields == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (fields == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (fields == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (fields == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (fields == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (fields == 17) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
  } else if constexpr (fields == 18) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
  } else if constexpr (fields == 19) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
  } else if constexpr (fields == 20) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  } else if constexpr (fields == 21) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  } else if constexpr (fields == 22) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
  } else if constexpr (fields == 23) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w);
  } else if constexpr (fields == 24) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y);
  } else if constexpr (fields == 25) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y, z] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y, z);
  } else if constexpr (fields == 26) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y, z, aa] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y, z, aa);
  } else if constexpr (fields == 27) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y, z, aa, bb] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y, z, aa,
                    bb);
  }
}

// -- comparing ----------------------------------------------------------------------------------

template <class T>
bool same(const T& x, const T& y);

template <class... T>
bool same(const std::variant<T...>& x, const std::variant<T...>& y) {
  return x.index() == y.index() && std::visit(
                                     [&](const auto& a) {
                                       using type = std::remove_cvref_t<decltype(a)>;
                                       return same(a, std::get<type>(y));
                                     },
                                     x);
}

inline bool same(const distribution& x, const distribution& y) {
  return x.bins() == y.bins() && same(x.sum(), y.sum()) && same(x.min(), y.min()) &&
         same(x.max(), y.max()) && x.count() == y.count();
}

template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const T& a, const T& b) { return same(a, b); });
}

template <class T, std::size_t N>
bool same(const std::array<T, N>& x, const std::array<T, N>& y) {
  return std::equal(x.begin(), x.end(), y.begin(),
                    [](const T& a, const T& b) { return same(a, b); });
}

/// Returns whether two values are equal in every field; floating-point numbers, in every bit, so a
/// struct's own operator, for which no NaN is equal to itself, is not asked.
template <class T>
bool same(const T& x, const T& y) {
  if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  else if constexpr (!std::is_aggregate_v<T> && requires { x == y; })
    return x == y;
  else
    return std::apply(
      [&](const auto&... a) {
        return std::apply([&](const auto&... b) { return (same(a, b) && ...); }, fields_of(y));
      },
      fields_of(x));
}

// -- filling ------------------------------------------------------------------------------------

/// Fills values with numbers of every size, among them those that are hard to write.
class filler {
public:
  explicit filler(caf::strong_actor_ptr actor) : actor_(std::move(actor)) {}

  void operator()(bool& x) { x = random_.below(2) == 1; }

  /// Stays empty: it is not written, as its receiver can count for itself.
  void operator()(counted_units&) {}

  void operator()(cell_array& x) {
    std::vector<std::int32_t> values;
    (*this)(values);
    x = values;
  }

  template <class T>
  requires std::is_integral_v<T>
  void operator()(T& x) {
    x = static_cast<T>(random_() >> random_.below(64));
    x = x == T{} ? std::numeric_limits<T>::max() : x;
  }

  template <class T>
  requires std::is_enum_v<T>
  void operator()(T& x) { x = static_cast<T>(1 + random_.below(2)); }

  void operator()(double& x) {
    constexpr auto inf = std::numeric_limits<double>::infinity();
    const double hard[] = {inf,
                           -inf,
                           -0.0,
                           std::bit_cast<double>(0x7FF8000000000123ULL), // a NaN with a payload
                           std::bit_cast<double>(0xFFF0000000000001ULL), // one that signals
                           std::numeric_limits<double>::denorm_min(),
                           -std::numeric_limits<double>::min() / 3,
                           std::numeric_limits<double>::max(),
                           0.1,
                           1e-300,
                           -123456789.123456789};
    x = hard[doubles_++ % std::size(hard)];
  }

  void operator()(std::string& x) {
    x = std::string{"line\n\0 \xC3\xA4", 9} + std::to_string(random_.below(1000));
  }

  void operator()(std::chrono::nanoseconds& x) {
    std::int64_t n = 0;
    (*this)(n);
    x = std::chrono::nanoseconds{n};
  }

  void operator()(caf::strong_actor_ptr& x) { x = actor_; }

  void operator()(distribution& x) {
    double parts[3];
    for (auto& p : parts)
      (*this)(p);
    x = distribution::from_parts(
      parts[0], parts[1], parts[2],
      {{0, 1 + random_.below(9)}, {7, ~std::uint64_t{0} >> 8}, {distribution::bin_count - 1, 2}});
  }

  template <class T>
  void operator()(std::vector<T>& x) {
    x.resize(1 + random_.below(3));
    for (auto& e : x)
      (*this)(e);
  }

  template <class T, std::size_t N>
  void operator()(std::array<T, N>& x) {
    for (auto& e : x)
      (*this)(e);
  }

  template <class T>
  void operator()(std::map<std::string, T>& x) {
    for (auto i = 1 + random_.below(3); i > 0; --i) {
      std::string key;
      (*this)(key);
      (*this)(x[key]);
    }
  }

  /// Takes each of the types in turn.
  template <class... T>
  void operator()(std::variant<T...>& x) {
    constexpr std::array<void (*)(std::variant<T...>&), sizeof...(T)> make{
      [](std::variant<T...>& to) { to.template emplace<T>(); }...};
    make[variants_++ % sizeof...(T)](x);
    std::visit([this](auto& value) { (*this)(value); }, x);
  }

  template <class T>
  requires std::is_aggregate_v<T>
  void operator()(T& x) {
    std::apply([this](auto&... f) { ((*this)(f), ...); }, fields_of(x));
  }

private:
  caf::strong_actor_ptr actor_;
  random_stream random_{1};
  std::size_t doubles_ = 0;
  std::size_t variants_ = 0;
};

} // namespace troupe::test
