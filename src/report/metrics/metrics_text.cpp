#include "report/metrics/metrics_text.hpp"

#include "report/metrics/metric_table.hpp"

#include <limits>
#include <prometheus/text_serializer.h>
#include <utility>

namespace troupe {

namespace {

prometheus::MetricType type_of(metric_sort sort) {
  switch (sort) {
  case metric_sort::counter:
    return prometheus::MetricType::Counter;
  case metric_sort::gauge:
    return prometheus::MetricType::Gauge;
  case metric_sort::histogram:
    break;
  }
  return prometheus::MetricType::Histogram;
}

prometheus::ClientMetric value_of(const metric& of, const metric_value& from) {
  prometheus::ClientMetric to;
  for (std::size_t i = 0; i < of.labels.size(); ++i)
    to.label.push_back({std::string{of.labels[i]}, from.labels.at(i)});
  to.counter.value = to.gauge.value = from.value;
  for (const auto& b : from.buckets)
    to.histogram.bucket.push_back({b.count, b.bound});
  to.histogram.sample_count = from.count;
  to.histogram.sample_sum = from.sum;
  return to;
}

} // namespace

std::string metrics_text(const live_state& state) {
  const auto process = process_figures::read();
  std::vector<prometheus::MetricFamily> all;
  for (const auto& m : metric_table()) {
    prometheus::MetricFamily family;
    family.name = m.name;
    family.help = m.help;
    family.type = type_of(m.sort);
    for (const auto& v : m.read(state, process))
      family.metric.push_back(value_of(m, v));
    if (!family.metric.empty())
      all.push_back(std::move(family));
  }
  return prometheus::TextSerializer{}.Serialize(all);
}

} // namespace troupe
