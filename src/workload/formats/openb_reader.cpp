#include "workload/formats/openb_reader.hpp"

#include "workload/traces/longest_time.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr const char* pod_format =
  "a row has as many fields as the header, with commas between, and whole numbers of milli-CPU, "
  "MiB, cards and milli-GPU";

std::int32_t priority_of(std::string_view qos) {
  if (qos == "LS" || qos == "Guaranteed")
    return 2;
  return qos == "Burstable" ? 1 : 0;
}

std::string_view first_line(text_reader& text) {
  const auto line = text.next();
  return line ? *line : std::string_view{};
}

} // namespace

std::vector<std::string> gpu_models(std::string_view spec) {
  std::vector<std::string> models;
  while (!spec.empty()) {
    const auto end = std::min(spec.find('|'), spec.size());
    if (end > 0)
      models.emplace_back(spec.substr(0, end));
    spec.remove_prefix(std::min(end + 1, spec.size()));
  }
  std::ranges::sort(models);
  models.erase(std::unique(models.begin(), models.end()), models.end());
  return models;
}

openb_reader::openb_reader(const std::string& path, const trace_settings& settings)
  : text_(path),
    window_(settings),
    tally_(pod_format),
    row_(path, first_line(text_)),
    name_(row_.required("name")),
    cpu_(row_.required("cpu_milli")),
    memory_(row_.required("memory_mib")),
    gpus_(row_.required("num_gpu")),
    gpu_milli_(row_.required("gpu_milli")),
    spec_(row_.find("gpu_spec")),
    qos_(row_.find("qos")),
    created_(row_.required("creation_time")),
    deleted_(row_.required("deletion_time")),
    scheduled_(row_.required("scheduled_time")) {}

bool openb_reader::next(trace_job& job) {
  while (const auto line = text_.next()) {
    if (line->empty())
      continue;
    tally_.row();
    if (text_.is_cut())
      tally_.skip("last row, without a line end: it may be cut");
    else if (read_row(*line, job)) {
      tally_.use();
      return true;
    }
  }
  window_.check_end(text_.path(), tally_);
  return false;
}

bool openb_reader::read_row(std::string_view line, trace_job& job) {
  const auto malformed = [&](std::string_view reason, const std::string& detail) {
    return tally_.malformed(text_.path(), text_.line(), reason, detail);
  };
  const auto n = row_.read(line);
  if (n != row_.size())
    return malformed(n < row_.size() ? "too few fields" : "too many fields",
                     "this row has " + std::to_string(n) + " fields, the header " +
                       std::to_string(row_.size()));
  resources demand;
  std::int64_t amounts[4];
  const std::size_t columns[] = {cpu_, memory_, gpus_, gpu_milli_};
  constexpr const char* names[] = {"cpu_milli", "memory_mib", "num_gpu", "gpu_milli"};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto text = row_[columns[i]];
    const auto x = text.empty() ? std::optional<std::int64_t>{0} : to_integer(text);
    if (!x || *x < 0 || *x > 1'000'000'000)
      return malformed("not an amount", std::string{names[i]} + " " + quote(text) +
                                          " is not a whole number in 0 .. 1000000000");
    amounts[i] = *x;
  }
  const auto gpu = amounts[2] * amounts[3];
  if (gpu > 1'000'000'000)
    return malformed("not an amount", "num_gpu times gpu_milli is above 1000000000");
  demand[resource::cpu] = static_cast<std::int32_t>(amounts[0]);
  demand[resource::memory] = static_cast<std::int32_t>(amounts[1]);
  demand[resource::gpu] = static_cast<std::int32_t>(gpu);
  const auto created = to_number(row_[created_]);
  if (!created || *created < 0 || *created > longest_seconds)
    return malformed("not a time", "creation_time " + quote(row_[created_]) +
                                     " is not a number of seconds in 0 .. 1000000000");
  const auto submitted = from_seconds(*created);
  if (!window_.holds(submitted, tally_) || !window_.keeps(row_[name_], tally_))
    return false;
  const auto left_out = [&](std::string_view reason) {
    tally_.skip(reason);
    return false;
  };
  if (row_[scheduled_].empty())
    return left_out("never scheduled");
  if (row_[deleted_].empty())
    return left_out("never deleted");
  const auto scheduled = to_number(row_[scheduled_]);
  const auto deleted = to_number(row_[deleted_]);
  if (!scheduled || !deleted || *deleted > longest_seconds || *scheduled > *deleted)
    return malformed("not a time", "scheduled_time " + quote(row_[scheduled_]) +
                                     " and deletion_time " + quote(row_[deleted_]) +
                                     " are not times, one after the other");
  if (demand.is_zero())
    return left_out("asks for nothing");
  const auto at = window_.shifted(submitted);
  if (!at)
    return malformed("not a time", "creation_time is above 1000000000 s");
  job.submitted = *at;
  job.asks = true;
  job.priority = priority_of(row_[qos_]);
  job.groups.resize(1);
  auto& group = job.groups.front();
  group.count = 1;
  group.demand = demand;
  group.durations.assign(1, window_.shortened(from_seconds(*deleted - *scheduled)));
  job.estimate = group.durations.front();
  group.constraints.clear();
  if (auto models = gpu_models(row_[spec_]); !models.empty())
    group.constraints.push_back(
      {"model", models.size() == 1 ? constraint_operator::equals : constraint_operator::in,
       std::move(models)});
  return true;
}

} // namespace troupe
