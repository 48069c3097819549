#include "workload/formats/alibaba_reader.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Rows of a job may be this many jobs apart.
constexpr std::size_t jobs_held = 1000;

std::string first_row(const std::string& path) {
  text_reader text{path};
  while (const auto line = text.next())
    if (!line->empty())
      return std::string{*line};
  return {};
}

std::int64_t key_of(const std::string& job) {
  return static_cast<std::int64_t>(hash_of(job));
}

} // namespace

alibaba_reader::alibaba_reader(std::vector<std::string> paths, const trace_settings& settings,
                               bool sorts)
  : paths_(std::move(paths)),
    settings_(settings),
    text_(paths_),
    layout_(alibaba_layout_of(first_row(paths_.front()))),
    window_(settings),
    tally_(alibaba_row_format(layout_)),
    sorts_(sorts) {}

bool alibaba_reader::read_row() {
  for (;;) {
    const auto line = text_.next();
    if (!line) {
      ended_ = true;
      return false;
    }
    if (line->empty())
      continue;
    tally_.row();
    if (text_.is_cut()) {
      tally_.skip("last row, without a line end: it may be cut");
      continue;
    }
    row_.file = text_.file();
    row_.line = text_.line();
    if (read_alibaba_row(*line, layout_, text_.path(), row_, tally_))
      return true;
  }
}

bool alibaba_reader::next(trace_job& job) {
  if (sorts_) {
    if (next_sorted(job))
      return true;
  } else {
    while (!ended_ || !open_.empty()) {
      if (ended_ || open_.size() > jobs_held) {
        if (finish(job))
          return true;
      } else if (read_row()) {
        open(row_.job).rows.push_back(row_);
      }
    }
  }
  window_.check_end(text_.path(), tally_);
  return false;
}

bool alibaba_reader::next_sorted(trace_job& job) {
  if (!ended_) {
    while (read_row()) {
      bytes_.clear();
      append_bytes(bytes_, row_);
      by_job_.add(key_of(row_.job), bytes_);
    }
    if (by_job_.next())
      take_bytes(by_job_.record(), row_);
    else
      row_.job.clear();
  }
  for (;;) {
    if (!open_.empty()) {
      if (finish(job))
        return true;
      continue;
    }
    if (row_.job.empty())
      return false;
    // Jobs with one key come one after the other, however their rows are mixed.
    const auto key = by_job_.key();
    bool more = true;
    while (more && by_job_.key() == key) {
      open(row_.job).rows.push_back(row_);
      more = by_job_.next();
      if (more)
        take_bytes(by_job_.record(), row_);
      else
        row_.job.clear();
    }
  }
}

std::unique_ptr<trace_reader> alibaba_reader::regrouped() {
  if (sorts_)
    return nullptr;
  std::int64_t before = 0;
  for (bool any = false; by_job_.next(); any = true) {
    if (any && by_job_.key() == before)
      return std::make_unique<alibaba_reader>(paths_, settings_, true);
    before = by_job_.key();
  }
  return nullptr;
}

alibaba_reader::open_job& alibaba_reader::open(const std::string& name) {
  if (!open_.empty() && open_.back().name == name)
    return open_.back();
  const auto [it, added] = places_.try_emplace(name, closed_ + open_.size());
  if (added)
    open_.push_back({name, {}});
  return open_[it->second - closed_];
}

bool alibaba_reader::finish(trace_job& job) {
  auto done = std::move(open_.front());
  open_.pop_front();
  ++closed_;
  places_.erase(done.name);
  if (!sorts_)
    by_job_.add(key_of(done.name), {});
  return make(done, job);
}

void alibaba_reader::drop_doubles(std::vector<alibaba_row>& rows) {
  std::vector<alibaba_row> kept;
  kept.reserve(rows.size());
  for (auto& row : rows) {
    // Only names with a number of their own are given once in a job.
    const bool named = layout_ == alibaba_layout::v2017 || parse_task_name(row.task);
    if (named && std::ranges::any_of(kept, [&](const alibaba_row& other) {
          return other.task == row.task && other.start == row.start && other.length == row.length &&
                 other.instances == row.instances && other.demand == row.demand;
        }))
      tally_.malformed(paths_[row.file], row.line, "row that stands there twice",
                       "task " + row.task + " of job " + row.job +
                         " occurs twice; are the same rows in two files?");
    else
      kept.push_back(std::move(row));
  }
  rows = std::move(kept);
}

bool alibaba_reader::make(open_job& from, trace_job& job) {
  drop_doubles(from.rows);
  const auto start = std::ranges::min_element(from.rows, {}, &alibaba_row::start)->start;
  if (!window_.holds(start, tally_) || !window_.keeps(from.name, tally_))
    return false;
  const auto at = window_.shifted(start);
  if (!at) {
    tally_.skip("time out of range");
    return false;
  }
  std::vector<std::optional<task_name>> names;
  names.reserve(from.rows.size());
  for (const auto& r : from.rows)
    names.push_back(has_dependencies() ? parse_task_name(r.task) : std::nullopt);
  const auto graph = task_graph::of(names);
  tally_.skip("dependency on a task that is not there", graph.unknown);
  tally_.skip("dependency in a circle", graph.circular);
  job.submitted = *at;
  job.asks = true;
  job.groups.resize(from.rows.size());
  std::vector<std::uint32_t> place(from.rows.size());
  double seconds = 0;
  for (std::uint32_t g = 0; g < graph.order.size(); ++g) {
    const auto i = graph.order[g];
    place[i] = g;
    auto& group = job.groups[g];
    group.count = from.rows[i].instances;
    group.demand = from.rows[i].demand;
    group.durations.assign(1, window_.shortened(from.rows[i].length));
    seconds += to_seconds(group.durations.front()) * group.count;
    group.after.clear();
    for (auto p : graph.parents[i])
      group.after.push_back(place[p]);
    std::ranges::sort(group.after);
  }
  job.estimate = from_seconds(seconds / static_cast<double>(job.task_count()));
  tally_.use();
  return true;
}

} // namespace troupe
