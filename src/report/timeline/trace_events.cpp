#include "report/timeline/trace_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace troupe {

namespace {

/// Renders a time in microseconds, with the digits that it has.
std::string microseconds(instant at) {
  const auto n = at.count();
  const auto amount = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  const auto* sign = n < 0 ? "-" : "";
  if (amount % 1000 == 0)
    return fmt::format("{}{}", sign, amount / 1000);
  return fmt::format("{}{}.{:03}", sign, amount / 1000, amount % 1000);
}

} // namespace

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

void trace_arguments::begin(std::string_view name) {
  text_ += text_.empty() ? "" : ",";
  text_ += json_quoted(name) + ':';
}

trace_arguments& trace_arguments::add(std::string_view name, std::uint64_t n) {
  begin(name);
  text_ += std::to_string(n);
  return *this;
}

trace_arguments& trace_arguments::add(std::string_view name, double x) {
  begin(name);
  text_ += std::isfinite(x) ? fmt::format("{}", x) : "null";
  return *this;
}

trace_arguments& trace_arguments::add(std::string_view name, std::string_view text) {
  begin(name);
  text_ += json_quoted(text);
  return *this;
}

trace_arguments& trace_arguments::add(std::string_view name, const trace_arguments& inner) {
  begin(name);
  text_ += '{' + inner.text() + '}';
  return *this;
}

trace_arguments& trace_arguments::add_ms(std::string_view name, duration d) {
  return add(name, static_cast<double>(d.count()) / 1e6);
}

void trace_events::name_process(std::uint32_t process, std::string_view name) {
  processes_.try_emplace(process, name);
}

void trace_events::name_thread(trace_track track, std::string_view name) {
  threads_.try_emplace({track.process, track.thread}, name);
}

void trace_events::open(std::string_view kind, std::uint32_t process, std::uint32_t thread,
                        instant at, std::string_view name) {
  begun_ = texts_.size();
  fmt::format_to(std::back_inserter(texts_), R"({{"name":{},"ph":"{}","pid":{},"tid":{},"ts":{})",
                 json_quoted(name), kind, process, thread, microseconds(at));
}

void trace_events::close(instant at, const trace_arguments& about, trace_flow flow) {
  if (flow.number > 0) {
    texts_ += fmt::format(R"(,"bind_id":"{}")", flow.number);
    if (flow.in)
      texts_ += R"(,"flow_in":true)";
    if (flow.out)
      texts_ += R"(,"flow_out":true)";
  }
  if (!about.text().empty())
    texts_ += R"(,"args":{)" + about.text() + '}';
  texts_ += '}';
  events_.push_back({at, begun_, static_cast<std::uint32_t>(texts_.size() - begun_)});
}

void trace_events::slice(trace_track on, std::string_view name, instant from, instant to,
                         const trace_arguments& about, trace_flow flow) {
  open("X", on.process, on.thread, from, name);
  texts_ += R"(,"dur":)" + microseconds(to - from);
  close(from, about, flow);
}

void trace_events::mark(trace_track on, std::string_view name, instant at, bool everywhere,
                        const trace_arguments& about) {
  open("i", on.process, on.thread, at, name);
  texts_ += everywhere ? R"(,"s":"g")" : R"(,"s":"p")";
  close(at, about, {});
}

void trace_events::counter(std::uint32_t process, std::string_view name, std::string_view key,
                           instant at, double value) {
  open("C", process, 1, at, name);
  trace_arguments values;
  values.add(key, value);
  close(at, values, {});
}

void trace_events::part(char kind, std::uint32_t process, std::string_view category,
                        std::string_view id, std::string_view name, instant at,
                        const trace_arguments& about, trace_flow flow) {
  open({&kind, 1}, process, 1, at, name);
  texts_ += R"(,"cat":)" + json_quoted(category) + R"(,"id2":{"local":)" + json_quoted(id) + '}';
  close(at, about, flow);
}

std::string trace_events::text(const trace_arguments& about) {
  std::ranges::stable_sort(events_, {}, &event::at);
  std::string out =
    R"({"displayTimeUnit":"ms","otherData":{)" + about.text() + "},\n\"traceEvents\":[";
  out.reserve(out.size() + texts_.size() + 2 * events_.size() + 4096);
  const auto* separator = "\n";
  const auto add_name = [&](std::string_view what, std::uint32_t process, std::uint32_t thread,
                            const std::string& value) {
    fmt::format_to(std::back_inserter(out),
                   R"({}{{"name":"{}","ph":"M","pid":{},"tid":{},"args":{{{}}}}})", separator, what,
                   process, thread, value);
    separator = ",\n";
  };
  for (const auto& [process, name] : processes_) {
    add_name("process_name", process, 1, "\"name\":" + json_quoted(name));
    add_name("process_sort_index", process, 1, fmt::format("\"sort_index\":{}", process));
  }
  for (const auto& [track, name] : threads_) {
    add_name("thread_name", track.first, track.second, "\"name\":" + json_quoted(name));
    add_name("thread_sort_index", track.first, track.second,
             fmt::format("\"sort_index\":{}", track.second));
  }
  for (const auto& e : events_) {
    out += separator;
    out.append(texts_, e.begin, e.size);
    separator = ",\n";
  }
  return out + "\n]}\n";
}

} // namespace troupe
