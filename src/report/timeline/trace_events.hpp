#pragma once

#include "model/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe {

/// A track of a trace: a thread of a process, as its viewers say. Both numbers are from 1.
struct trace_track {
  std::uint32_t process = 0;
  std::uint32_t thread = 1;
};

/// The arguments of an event, as the inside of a JSON object.
class trace_arguments {
public:
  trace_arguments& add(std::string_view name, std::uint64_t n);
  trace_arguments& add(std::string_view name, double x);
  trace_arguments& add(std::string_view name, std::string_view text);
  /// Adds an object with `inner` in it.
  trace_arguments& add(std::string_view name, const trace_arguments& inner);
  /// Adds a time in ms.
  trace_arguments& add_ms(std::string_view name, duration d);

  const std::string& text() const { return text_; }

private:
  void begin(std::string_view name);

  std::string text_;
};

/// An arrow between events. All events with the same number are on one arrow.
struct trace_flow {
  std::uint64_t number = 0; ///< 0: no arrow
  bool in = false;          ///< it arrives
  bool out = false;         ///< it departs
};

/// The events of a trace in the Chrome trace format, in memory until they are written. Times are
/// exact: microseconds with three digits.
class trace_events {
public:
  /// Names a process and its place among the others; likewise a thread.
  void name_process(std::uint32_t process, std::string_view name);
  void name_thread(trace_track track, std::string_view name);

  /// Adds a slice. Slices of one track must nest.
  void slice(trace_track on, std::string_view name, instant from, instant to,
             const trace_arguments& about = {}, trace_flow flow = {});
  /// Adds a mark: over the whole trace, or of one process.
  void mark(trace_track on, std::string_view name, instant at, bool everywhere,
            const trace_arguments& about = {});
  /// Adds a value of a counter, which belongs to a process.
  void counter(std::uint32_t process, std::string_view name, std::string_view key, instant at,
               double value);
  /// Adds the begin ('b'), the end ('e') or a moment ('n') of something that may overlap others of
  /// its process. `category` and `id` together tell it apart; an open event contains the events
  /// that begin later with the same id.
  void part(char kind, std::uint32_t process, std::string_view category, std::string_view id,
            std::string_view name, instant at, const trace_arguments& about = {},
            trace_flow flow = {});

  std::size_t size() const { return events_.size(); }

  /// Returns the whole trace as JSON, an event a line: first the names, then the events by time, at
  /// equal times as they were added. `about` are members of its `otherData`.
  std::string text(const trace_arguments& about);

private:
  struct event {
    instant at{0};
    std::size_t begin = 0; ///< in `texts_`
    std::uint32_t size = 0;
  };

  void open(std::string_view kind, std::uint32_t process, std::uint32_t thread, instant at,
            std::string_view name);
  void close(instant at, const trace_arguments& about, trace_flow flow);

  std::string texts_;
  std::size_t begun_ = 0;
  std::vector<event> events_;
  std::map<std::uint32_t, std::string> processes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> threads_;
};

/// Returns text as a JSON string, with its quotes.
std::string json_quoted(std::string_view text);

} // namespace troupe
