#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace troupe {

/// How an event relates to earlier ones of the same name.
enum class event_kind {
  news,  ///< it says something of its own: a reader gets all of them
  newest ///< it replaces them: a slow reader gets the last one
};

/// A stream of events with any number of readers, which all share the last events: a slow reader
/// costs no memory. A new reader, and a reader that has missed events, first gets the event `hello`
/// with the whole state.
///
/// Events have numbers within their feed, and feeds have random names, so that a reader that
/// connects again continues where it was, and begins again at another feed.
class event_feed {
public:
  /// Events that are kept.
  static constexpr std::size_t kept = 256;
  /// Bytes of events that are handed to a reader at a time.
  static constexpr std::size_t batch = std::size_t{64} << 10;

  /// `whole` returns the data of `hello`: one line. It runs in the threads of readers. Its result
  /// contains all events published before, and may already contain an event that follows.
  explicit event_feed(std::function<std::string()> whole);

  /// Publishes an event; `data` is one line. May be called from any thread.
  void publish(std::string_view name, std::string_view data, event_kind kind);

  /// Ends the stream for all readers after the events so far.
  void close();

  /// Returns the number of readers. Without readers, publishers need not make events.
  std::size_t readers() const;

  /// A reader's place in the stream.
  class reader {
  public:
    /// Returns the next events as text, or an empty text if there are none yet.
    std::string next();

    /// Returns whether the stream is closed and this reader has everything.
    bool at_end() const;

  private:
    friend event_feed;
    std::shared_ptr<event_feed> feed_;
    std::uint64_t last_ = 0;
    bool knows_ = false; ///< it had `hello`
    std::shared_ptr<void> registered_;
  };

  /// Adds a reader to `feed`. `wake` is called, from any thread, when there is more for it.
  /// `last_id` is the id of the last event that the reader has received earlier, or empty.
  static reader join(const std::shared_ptr<event_feed>& feed, std::string_view last_id,
                     std::function<void()> wake);

private:
  struct event {
    std::string name;
    std::string text; ///< as it is sent
    event_kind kind = event_kind::news;
  };

  std::string render(std::string_view name, std::string_view data, std::uint64_t number) const;
  void wake_all();

  const std::string id_;
  const std::function<std::string()> whole_;
  mutable std::mutex mutex_;
  std::deque<event> events_;
  std::uint64_t number_ = 0; ///< of the last event
  std::map<std::string, std::uint64_t, std::less<>> newest_;
  bool closed_ = false;
  std::map<std::uint64_t, std::function<void()>> wakes_;
  std::uint64_t next_reader_ = 0;
};

} // namespace troupe
