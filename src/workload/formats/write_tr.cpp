#include "workload/formats/write_tr.hpp"

#include "workload/traces/trace_reader.hpp"

#include <charconv>
#include <ostream>

namespace troupe {

namespace {

void append_whole(std::string& to, std::int64_t x) {
  char digits[24];
  to.append(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
}

/// Appends a time in s with as many decimals as it needs.
void append_seconds(std::string& to, duration d) {
  constexpr std::int64_t second = 1'000'000'000;
  append_whole(to, d.count() / second);
  auto rest = d.count() % second;
  if (rest == 0)
    return;
  char digits[] = "000000000";
  for (int i = 8; i >= 0; --i, rest /= 10)
    digits[i] = static_cast<char>('0' + rest % 10);
  std::string_view decimals{digits, 9};
  while (decimals.ends_with('0'))
    decimals.remove_suffix(1);
  to += '.';
  to += decimals;
}

} // namespace

written_trace write_tr(std::ostream& out, const std::string& path, const trace_settings& settings) {
  const auto reader = open_sorted_trace(path, settings);
  written_trace written;
  trace_job job;
  std::string row;
  while (reader->next(job)) {
    row.clear();
    append_seconds(row, job.submitted);
    row += ' ';
    append_whole(row, static_cast<std::int64_t>(job.task_count()));
    row += ' ';
    append_seconds(row, job.estimate);
    bool constrained = false;
    bool depends = false;
    for (const auto& g : job.groups) {
      constrained = constrained || !g.constraints.empty();
      depends = depends || !g.after.empty();
      for (std::uint32_t i = 0; i < g.count; ++i) {
        row += ' ';
        append_seconds(row, g.duration_of(i));
      }
    }
    row += '\n';
    out << row;
    ++written.jobs;
    written.tasks += job.task_count();
    written.bytes += row.size();
    const auto lose = [&](bool has, const char* what) {
      if (has)
        ++written.lost[what];
    };
    lose(job.asks, "request");
    lose(job.priority != 0, "priority");
    lose(job.gang, "gang");
    lose(job.spread, "anti-affinity");
    lose(constrained, "constraints");
    lose(depends, "dependencies");
    lose(!job.tenant.empty(), "tenant");
    lose(job.preceding != trace_job::none, "preceding job");
  }
  written.skipped = reader->tally().skipped();
  return written;
}

} // namespace troupe
