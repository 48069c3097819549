#pragma once

#include "model/random.hpp"
#include "model/time.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe {

/// How a link treats messages.
struct link_settings {
  duration latency{0}; ///< every message takes at least this long
  duration jitter{0};  ///< and up to this much longer, uniformly
  double loss = 0;     ///< probability that a message is lost, 0 .. 1
};

/// A time in which what leaves one side for the other is lost, all or some of it, or late, in both
/// directions.
struct network_cut {
  instant from{0}; ///< first instant of the cut
  instant to{0};   ///< first instant after it
  /// The two sides: names of actors in which '*' stands for any run of characters.
  std::string a = "*";
  std::string b = "*";
  double loss = 1;   ///< probability that a message is lost
  duration delay{0}; ///< added to the latency
};

/// Returns whether `name` fits `pattern`, in which '*' stands for any run of characters.
bool matches(std::string_view pattern, std::string_view name);

/// One direction between two named ends. Messages keep their order, as on a TCP connection: none
/// arrives earlier than one that left before it.
class channel {
public:
  /// `concurrent` says whether several threads use the channel.
  channel(random_stream random, const link_settings& settings, std::vector<network_cut> cuts,
          std::uint64_t key, bool concurrent);

  /// Returns when a message that leaves at `now` arrives, or nothing if it is lost.
  std::optional<instant> send(instant now);

  /// Returns when something that is repeated until it is heard arrives: after the cuts that hold
  /// at `now`, and whatever the loss.
  instant send_surely(instant now);

  /// Tells the channels of a network apart. Depends on the names of the ends and nothing else.
  std::uint64_t key() const { return key_; }

private:
  const network_cut* cut_at(instant t) const;
  instant arrival(instant now);
  bool loses(instant now);
  std::unique_lock<std::mutex> lock();

  std::mutex mutex_;
  random_stream random_;
  link_settings settings_;
  std::vector<network_cut> cuts_;
  std::uint64_t key_;
  bool concurrent_;
  instant last_arrival_{0};
};

/// A model of a network: for each pair of named ends and each direction a channel that delays,
/// loses and cuts. Every channel draws from a stream of its own, so that what happens on one does
/// not depend on the others.
class network {
public:
  using time_point = std::chrono::steady_clock::time_point;

  /// `origin` is what the clock shows when the run starts: the cuts count from there. `concurrent`
  /// says whether several threads use the network, as in real time.
  network(std::uint64_t seed, const link_settings& settings, std::vector<network_cut> cuts = {},
          time_point origin = {}, bool concurrent = false);

  /// Returns the channel from the end named `from` to the one named `to`, always the same one for
  /// the same names. It lives as long as the network.
  channel& between(const std::string& from, const std::string& to);

  time_point origin() const { return origin_; }

  bool concurrent() const { return concurrent_; }

private:
  std::mutex mutex_;
  std::uint64_t seed_;
  link_settings settings_;
  std::vector<network_cut> cuts_;
  time_point origin_;
  bool concurrent_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<channel>> channels_;
};

} // namespace troupe
