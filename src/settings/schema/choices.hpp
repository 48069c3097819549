#pragma once

#include "model/base/choice.hpp"
#include "model/base/clock_kind.hpp"
#include "model/owner/conflict_detection.hpp"
#include "model/view/sharing.hpp"

#include <cstdint>

/// Settings that are one of a few choices: an enum for each, and the one table of its names.
namespace troupe {

/// How schedulers share the cluster's state: a preset of other settings (presets.cpp).
enum class architecture_kind : std::uint8_t {
  parsync,
  statesync,
  fixed_shares, ///< "static", which is a keyword of C++
  monolithic,
  two_level,
  sparrow,
  hybrid,
};

template <>
struct choice_names<architecture_kind> {
  static constexpr std::array<std::string_view, 7> value{
    "parsync", "statesync", "static", "monolithic", "two-level", "sparrow", "hybrid"};
};

/// How views are refreshed: docs/architecture.md, "Sync plans".
enum class sync_plan_kind : std::uint8_t { partitioned, full, same, exclusive, offers, none };

template <>
struct choice_names<sync_plan_kind> {
  static constexpr std::array<std::string_view, 6> value{"partitioned", "full",   "same",
                                                         "exclusive",   "offers", "none"};
};

template <>
struct choice_names<conflict_detection> {
  static constexpr std::array<std::string_view, 2> value{"fine", "coarse"};
};

template <>
struct choice_names<sharing> {
  static constexpr std::array<std::string_view, 3> value{"none", "soft", "hard"};
};

/// Whether the tasks of one job that are decided on together are granted one by one.
enum class commit_kind : std::uint8_t { incremental, all_or_nothing };

template <>
struct choice_names<commit_kind> {
  static constexpr std::array<std::string_view, 2> value{"incremental", "all-or-nothing"};
};

/// The place in the queue to which a refused task returns.
enum class retry_place : std::uint8_t { head, back };

template <>
struct choice_names<retry_place> {
  static constexpr std::array<std::string_view, 2> value{"head", "back"};
};

/// What decisions in a pool cost: the same for all jobs, or as in the group of the job.
enum class code_path_kind : std::uint8_t { single, multi };

template <>
struct choice_names<code_path_kind> {
  static constexpr std::array<std::string_view, 2> value{"single", "multi"};
};

enum class score_distribution : std::uint8_t { lognormal, constant };

template <>
struct choice_names<score_distribution> {
  static constexpr std::array<std::string_view, 2> value{"lognormal", "constant"};
};

enum class workload_kind : std::uint8_t { phases, burst, trace, jobs, lublin };

template <>
struct choice_names<workload_kind> {
  static constexpr std::array<std::string_view, 5> value{"phases", "burst", "trace", "jobs",
                                                         "lublin"};
};

/// The jobs of the model of Lublin and Feitelson: each kind has parameters of its own; all: those
/// for both kinds together.
enum class lublin_jobs : std::uint8_t { batch, interactive, all };

template <>
struct choice_names<lublin_jobs> {
  static constexpr std::array<std::string_view, 3> value{"batch", "interactive", "all"};
};

/// The format of a trace; automatic: it is recognised.
enum class trace_format : std::uint8_t {
  automatic,
  tr,
  google2011,
  alibaba2018,
  alibaba2017,
  swf,
  openb,
  recorded,
};

template <>
struct choice_names<trace_format> {
  static constexpr std::array<std::string_view, 8> value{
    "auto", "tr", "google2011", "alibaba2018", "alibaba2017", "swf", "openb", "recorded"};
};

/// The treatment of tasks whose end a trace does not show.
enum class unfinished_kind : std::uint8_t { cut, drop };

template <>
struct choice_names<unfinished_kind> {
  static constexpr std::array<std::string_view, 2> value{"cut", "drop"};
};

/// Which of the numbers of processors in a log a job gets, if it has both.
enum class processors_kind : std::uint8_t { requested, used };

template <>
struct choice_names<processors_kind> {
  static constexpr std::array<std::string_view, 2> value{"requested", "used"};
};

/// The source of a job's estimate of its run time.
enum class estimate_kind : std::uint8_t {
  given,   ///< the workload
  exact,   ///< the run time
  factor,  ///< the run time times a factor
  tsafrir, ///< the model of Tsafrir, Etsion and Feitelson
};

template <>
struct choice_names<estimate_kind> {
  static constexpr std::array<std::string_view, 4> value{"given", "exact", "factor", "tsafrir"};
};

enum class arrival_kind : std::uint8_t { constant, poisson };

template <>
struct choice_names<arrival_kind> {
  static constexpr std::array<std::string_view, 2> value{"constant", "poisson"};
};

enum class distribution_kind : std::uint8_t { fixed, exponential, lognormal, quantiles };

template <>
struct choice_names<distribution_kind> {
  static constexpr std::array<std::string_view, 4> value{"fixed", "exponential", "lognormal",
                                                         "quantiles"};
};

/// Whether failures are watched; automatic: if the run has any.
enum class watch_kind : std::uint8_t { automatic, on, off };

template <>
struct choice_names<watch_kind> {
  static constexpr std::array<std::string_view, 3> value{"auto", "on", "off"};
};

} // namespace troupe
