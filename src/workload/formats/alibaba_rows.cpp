#include "workload/formats/alibaba_rows.hpp"

#include "workload/formats/row_fields.hpp"
#include "workload/traces/longest_time.hpp"
#include "workload/traces/record_bytes.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace troupe {

namespace {

constexpr std::uint32_t most_instances = 10'000'000;

/// 1 of the memory of 2018 counts as 1 GiB, and so does a hundredth of the memory of 2017.
constexpr double gib_of_2017 = 100;

/// The fields of a row, in any of the layouts.
struct row_parts {
  std::string_view job;
  std::string_view task;
  std::string_view instances;
  std::string_view status; ///< 2017
  std::string_view start;
  std::string_view end; ///< Spar: how long it took
  std::string_view cpu;
  std::string_view memory;
};

std::size_t columns_of(alibaba_layout layout) {
  return layout == alibaba_layout::v2018 ? 9 : layout == alibaba_layout::spar ? 7 : 8;
}

row_parts parts_of(std::span<const std::string_view> x, alibaba_layout layout) {
  switch (layout) {
  case alibaba_layout::spar:
    return {x[1], x[2], x[6], {}, x[0], x[3], x[4], x[5]};
  case alibaba_layout::v2017:
    return {x[2], x[3], x[4], x[5], x[0], x[1], x[6], x[7]};
  case alibaba_layout::v2018:
    break;
  }
  return {x[2], x[0], x[1], {}, x[5], x[6], x[7], x[8]};
}

/// Reads what a row says of one task; the row is known to have the columns.
class row_check {
public:
  row_check(const row_parts& x, alibaba_layout layout, const std::string& path, std::uint64_t line,
            trace_tally& tally)
    : x_(x), layout_(layout), path_(path), line_(line), tally_(tally) {}

  bool read(alibaba_row& row) {
    if (x_.job.empty())
      return malformed("no job", "the job's name is empty");
    return read_times(row) && read_instances(row) && read_request(row);
  }

private:
  bool malformed(std::string_view reason, const std::string& detail) {
    return tally_.malformed(path_, line_, reason, detail);
  }

  bool left_out(std::string_view reason) {
    tally_.skip(reason);
    return false;
  }

  bool read_times(alibaba_row& row) {
    const auto number = [](std::string_view text) {
      const auto x = text.empty() ? std::optional<double>{0} : to_number(text);
      return x && *x <= longest_seconds ? x : std::nullopt;
    };
    const auto begin = number(x_.start);
    const auto end = number(x_.end);
    if (!begin || !end)
      return malformed("not a time", "the times " + quote(x_.start) + " and " + quote(x_.end) +
                                       " are not numbers of seconds up to 1000000000");
    if (layout_ == alibaba_layout::spar) {
      if (*begin < 0 || *end < 0)
        return malformed("not a time", "arrival " + quote(x_.start) + " and duration " +
                                         quote(x_.end) + " are not times");
      row.start = from_seconds(*begin);
      row.length = std::max<duration>(from_seconds(*end), std::chrono::seconds{1});
      return true;
    }
    if (*begin <= 0)
      return left_out(layout_ == alibaba_layout::v2017 ? "before the trace began"
                                                       : "never started");
    if (*end <= 0 || x_.status == "Ready" || x_.status == "Waiting" || x_.status == "Running")
      return left_out("no end in the trace");
    if (*end < *begin)
      return malformed("ends before it starts", "end_time " + quote(x_.end) +
                                                  " is earlier than start_time " + quote(x_.start));
    row.start = from_seconds(*begin);
    row.length = std::max<duration>(from_seconds(*end) - row.start, std::chrono::seconds{1});
    return true;
  }

  bool read_instances(alibaba_row& row) {
    if (x_.instances.empty())
      return left_out("without instances");
    const auto count = to_integer<std::uint32_t>(x_.instances);
    if (!count || *count > most_instances)
      return malformed("not a number", "instance_num " + quote(x_.instances) +
                                         " is not a whole number in 0 .. 10000000");
    row.instances = *count;
    return *count > 0 || left_out("without instances");
  }

  bool read_request(alibaba_row& row) {
    if (x_.cpu.empty() && x_.memory.empty())
      return left_out("no request");
    const auto amount = [](std::string_view text) {
      return text.empty() ? std::optional<double>{0} : to_number(text);
    };
    const auto cores = amount(x_.cpu);
    const auto part = amount(x_.memory);
    if (!cores || !part || *cores < 0 || *part < 0 || *cores > 1e8 || *part > 1e4)
      return malformed("not an amount", "plan_cpu " + quote(x_.cpu) + " and plan_mem " +
                                          quote(x_.memory) + " are not amounts");
    const auto gib = layout_ == alibaba_layout::v2017 ? *part * gib_of_2017 : *part;
    row.demand[resource::cpu] = static_cast<std::int32_t>(std::lround(*cores * 10));
    row.demand[resource::memory] = static_cast<std::int32_t>(std::lround(gib * 1024));
    return !row.demand.is_zero() || left_out("no request");
  }

  const row_parts& x_;
  alibaba_layout layout_;
  const std::string& path_;
  std::uint64_t line_;
  trace_tally& tally_;
};

} // namespace

alibaba_layout alibaba_layout_of(std::string_view row) {
  switch (split(row, ',', {})) {
  case 7:
    return alibaba_layout::spar;
  case 8:
    return alibaba_layout::v2017;
  default:
    return alibaba_layout::v2018;
  }
}

std::string alibaba_row_format(alibaba_layout layout) {
  switch (layout) {
  case alibaba_layout::spar:
    return "a row of Spar's batch_tasks has 7 fields with commas between: arrival s, job, task, "
           "duration s, plan_cpu, plan_mem, instances";
  case alibaba_layout::v2017:
    return "a row of batch_task of 2017 has 8 fields with commas between: create_timestamp s, "
           "modify_timestamp s, job_id, task_id, instance_num, status, plan_cpu, plan_mem";
  case alibaba_layout::v2018:
    break;
  }
  return "a row of batch_task has 9 fields with commas between: task_name, instance_num, job_name, "
         "task_type, status, start_time s, end_time s, plan_cpu, plan_mem";
}

bool read_alibaba_row(std::string_view line, alibaba_layout layout, const std::string& path,
                      alibaba_row& row, trace_tally& tally) {
  std::array<std::string_view, 9> x;
  const auto n = split(line, ',', x);
  const auto columns = columns_of(layout);
  if (n != columns)
    return tally.malformed(path, row.line, n < columns ? "too few fields" : "too many fields",
                           "this row has " + std::to_string(n) + " fields");
  const auto found = parts_of(x, layout);
  if (!row_check{found, layout, path, row.line, tally}.read(row))
    return false;
  row.job = found.job;
  row.task = found.task;
  return true;
}

void append_bytes(std::string& to, const alibaba_row& row) {
  using record_bytes::put;
  put(to, row.instances);
  put(to, row.start);
  put(to, row.length);
  put(to, row.demand);
  put(to, row.line);
  put(to, row.job);
  put(to, row.task);
  put(to, row.file);
}

void take_bytes(std::string_view bytes, alibaba_row& row) {
  using record_bytes::take;
  take(bytes, row.instances);
  take(bytes, row.start);
  take(bytes, row.length);
  take(bytes, row.demand);
  take(bytes, row.line);
  take(bytes, row.job);
  take(bytes, row.task);
  take(bytes, row.file);
}

} // namespace troupe
