#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Serialises records of traces for files that only this process reads: appends values, and removes
/// them from the front again.
namespace troupe::record_bytes {

template <class T>
void put(std::string& to, const T& x) {
  static_assert(std::is_trivially_copyable_v<T>);
  to.append(reinterpret_cast<const char*>(&x), sizeof x);
}

template <class T>
void take(std::string_view& from, T& x) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::memcpy(&x, from.data(), sizeof x);
  from.remove_prefix(sizeof x);
}

inline void put(std::string& to, const std::string& text) {
  put(to, static_cast<std::uint32_t>(text.size()));
  to += text;
}

inline void take(std::string_view& from, std::string& text) {
  std::uint32_t n = 0;
  take(from, n);
  text = from.substr(0, n);
  from.remove_prefix(n);
}

template <class T>
void put(std::string& to, const std::vector<T>& all) {
  static_assert(std::is_trivially_copyable_v<T>);
  put(to, static_cast<std::uint32_t>(all.size()));
  to.append(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(T));
}

template <class T>
void take(std::string_view& from, std::vector<T>& all) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::uint32_t n = 0;
  take(from, n);
  all.resize(n);
  if (n > 0)
    std::memcpy(all.data(), from.data(), n * sizeof(T));
  from.remove_prefix(n * sizeof(T));
}

} // namespace troupe::record_bytes
