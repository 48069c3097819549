#include "workload/traces/trace_job.hpp"

#include "workload/traces/record_bytes.hpp"

namespace troupe {

void append_bytes(std::string& to, const trace_job& job) {
  using record_bytes::put;
  put(to, job.submitted);
  put(to, job.estimate);
  put(to, job.asks);
  put(to, job.gang);
  put(to, job.spread);
  put(to, job.priority);
  put(to, job.tenant);
  put(to, job.number);
  put(to, job.preceding);
  put(to, job.think);
  put(to, static_cast<std::uint32_t>(job.groups.size()));
  for (const auto& g : job.groups) {
    put(to, g.count);
    put(to, g.demand);
    put(to, g.durations);
    put(to, g.after);
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
  using record_bytes::take;
  take(bytes, job.submitted);
  take(bytes, job.estimate);
  take(bytes, job.asks);
  take(bytes, job.gang);
  take(bytes, job.spread);
  take(bytes, job.priority);
  take(bytes, job.tenant);
  take(bytes, job.number);
  take(bytes, job.preceding);
  take(bytes, job.think);
  std::uint32_t n = 0;
  take(bytes, n);
  job.groups.resize(n);
  for (auto& g : job.groups) {
    take(bytes, g.count);
    take(bytes, g.demand);
    take(bytes, g.durations);
    take(bytes, g.after);
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
