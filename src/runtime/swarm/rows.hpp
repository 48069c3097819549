#pragma once

#include "model/base/choice.hpp"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The table for swarm testing: one row for each setting that changes the behaviour of a cluster.
namespace troupe {

/// The kind of runs in a swarm.
enum class swarm_mode : unsigned char {
  failing, ///< in virtual time, under failures
  calm,    ///< in virtual time, without failures
  real,    ///< for a second or two of real time, without failures
};

/// The choices of a draw so far: values by key, in the form of --set.
class swarm_picks {
public:
  explicit swarm_picks(swarm_mode mode) : mode_(mode) {}

  void set(const std::string& key, std::string value) { values_[key] = std::move(value); }
  swarm_mode mode() const { return mode_; }

  /// Returns whether anything was chosen for `key`.
  bool has(std::string_view key) const { return values_.contains(key); }
  /// Returns whether `value` was chosen for `key`.
  bool is(std::string_view key, std::string_view value) const;
  /// Returns whether the name of `value` was chosen for `key`.
  template <choice Enum>
  bool is(std::string_view key, Enum value) const {
    return is(key, name_of(value));
  }
  /// Returns the number chosen for `key`, or `otherwise`.
  double number(std::string_view key, double otherwise) const;
  /// Returns the duration chosen for `key` in seconds, or `otherwise`.
  double seconds(std::string_view key, double otherwise) const;

private:
  swarm_mode mode_;
  std::map<std::string, std::string, std::less<>> values_;
};

/// One setting, and the values that a draw may choose for it. Rows are drawn in order, so a row may
/// depend on the choices for the rows before it.
struct swarm_row {
  /// How often a row is drawn.
  enum class how : unsigned char {
    always,   ///< in every draw; shrinking keeps it and reduces its value
    feature,  ///< with the density of the draw
    by_group, ///< likewise; for all groups, or for one
  };

  std::string_view key;
  std::vector<std::string_view> choices; ///< in the form of --set
  how drawn = how::feature;
  bool (*applies)(const swarm_picks&) = nullptr; ///< null: in every draw
  /// Whether a choice is possible; null: all are.
  bool (*allows)(const swarm_picks&, std::string_view) = nullptr;
};

/// All rows, in the order in which they are drawn.
std::span<const swarm_row> swarm_rows();

/// Returns the rows of scheduler actors from plugins, by protocol; none if none is loaded. They are
/// drawn last.
std::span<const swarm_row> plugin_rows();

/// A setting without a row, and why a swarm need not draw it. A key that ends with '.' represents
/// all keys below it.
struct undrawn_setting {
  std::string_view key;
  std::string_view reason;
};

std::span<const undrawn_setting> undrawn_settings();

/// The settings below every draw, as TOML.
std::string_view swarm_base();

} // namespace troupe
