#include "workload/trace_job.hpp"

#include <cstring>
#include <type_traits>

namespace troupe {

namespace {

template <class T>
void put(std::string& to, const T& x) {
  static_assert(std::is_trivially_copyable_v<T>);
  to.append(reinterpret_cast<const char*>(&x), sizeof x);
}

template <class T>
void take(std::string_view& from, T& x) {
  std::memcpy(&x, from.data(), sizeof x);
  from.remove_prefix(sizeof x);
}

template <class T>
void put_all(std::string& to, const std::vector<T>& all) {
  put(to, static_cast<std::uint32_t>(all.size()));
  to.append(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(T));
}

template <class T>
void take_all(std::string_view& from, std::vector<T>& all) {
  std::uint32_t n = 0;
  take(from, n);
  all.resize(n);
  if (n > 0)
    std::memcpy(all.data(), from.data(), n * sizeof(T));
  from.remove_prefix(n * sizeof(T));
}

void put(std::string& to, const std::string& text) {
  put(to, static_cast<std::uint32_t>(text.size()));
  to += text;
}

void take(std::string_view& from, std::string& text) {
  std::uint32_t n = 0;
  take(from, n);
  text = from.substr(0, n);
  from.remove_prefix(n);
}

} // namespace

void append_bytes(std::string& to, const trace_job& job) {
  put(to, job.submitted);
  put(to, job.estimate);
  put(to, job.asks);
  put(to, job.gang);
  put(to, job.spread);
  put(to, job.priority);
  put(to, static_cast<std::uint32_t>(job.groups.size()));
  for (const auto& g : job.groups) {
    put(to, g.count);
    put(to, g.demand);
    put_all(to, g.durations);
    put_all(to, g.after);
    put(to, static_cast<std::uint32_t>(g.constraints.size()));
    for (const auto& c : g.constraints) {
      put(to, c.attribute);
      put(to, c.op);
      put(to, static_cast<std::uint32_t>(c.values.size()));
      for (const auto& v : c.values)
        put(to, v);
    }
  }
}

void take_bytes(std::string_view& bytes, trace_job& job) {
  take(bytes, job.submitted);
  take(bytes, job.estimate);
  take(bytes, job.asks);
  take(bytes, job.gang);
  take(bytes, job.spread);
  take(bytes, job.priority);
  std::uint32_t n = 0;
  take(bytes, n);
  job.groups.resize(n);
  for (auto& g : job.groups) {
    take(bytes, g.count);
    take(bytes, g.demand);
    take_all(bytes, g.durations);
    take_all(bytes, g.after);
    take(bytes, n);
    g.constraints.resize(n);
    for (auto& c : g.constraints) {
      take(bytes, c.attribute);
      take(bytes, c.op);
      take(bytes, n);
      c.values.resize(n);
      for (auto& v : c.values)
        take(bytes, v);
    }
  }
}

} // namespace troupe
