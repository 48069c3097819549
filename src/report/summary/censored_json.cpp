#include "report/summary/censored_json.hpp"

#include "model/metrics/kaplan_meier.hpp"
#include "report/json/json_number.hpp"

#include <span>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

struct quantile_name {
  const char* name;
  double q;
};

constexpr quantile_name delay_quantiles[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}};
constexpr quantile_name response_quantiles[] = {
  {"p50", 0.5}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}};

distribution together(const distribution& a, const distribution& b) {
  auto all = a;
  all.merge(b);
  return all;
}

json counted(const distribution& d) {
  json out{{"count", d.count()}};
  out.update(json_delay(d));
  return out;
}

json estimates(const distribution& ended, const distribution& open,
               std::span<const quantile_name> quantiles) {
  const kaplan_meier all{ended, open};
  const auto some = !all.empty();
  auto bounds = json::array();
  json out{{"mean", json_number_if(some, all.mean())}};
  if (all.mean_is_bound())
    bounds.push_back("mean");
  for (const auto& [name, q] : quantiles) {
    out[name] = json_number_if(some, all.quantile(q));
    if (all.quantile_is_bound(q))
      bounds.push_back(name);
  }
  out["max"] = json_number_if(some, all.max());
  if (all.quantile_is_bound(1))
    bounds.push_back("max");
  out["censored"] = all.censored();
  out["at_least"] = bounds;
  return out;
}

} // namespace

distribution censored_delays(const scheduler_sample& s) {
  return together(s.waiting, s.given_up);
}

distribution censored_responses(const scheduler_sample& s) {
  return together(s.open_jobs, s.broken_jobs);
}

json delay_json(const scheduler_sample& s) {
  auto out = estimates(s.delay, censored_delays(s), delay_quantiles);
  out["placed"] = counted(s.delay);
  out["waiting"] = counted(s.waiting);
  out["abandoned"] = counted(s.given_up);
  return out;
}

json response_json(const scheduler_sample& s) {
  auto out = estimates(s.job_response, censored_responses(s), response_quantiles);
  out["finished"] = counted(s.job_response);
  out["open"] = counted(s.open_jobs);
  out["broken"] = counted(s.broken_jobs);
  return out;
}

} // namespace troupe
