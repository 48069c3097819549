#pragma once

#include "model/explain/machine_survey.hpp"
#include "report/explain/record_rows_of.hpp"
#include "report/explain/why_not.hpp"
#include "support/explain_input.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// What can be told of why a task of a run that cannot be made again is on no machine, or not on
/// one: where the task was when its record was written, which machines exclude it for good, by the
/// settings, and who has refused it. What machines had free is not known.
class recorded_why_not {
public:
  /// `run` must outlive it. Throws `usage_error` if there are no records of tasks, and
  /// `std::runtime_error` if they do not have the task.
  recorded_why_not(const explained_run& run, std::optional<machine_id> machine);

  /// The sentences, the verdict first.
  std::vector<std::string> sentences() const;

  /// The members of `why-not --json`.
  nlohmann::ordered_json json() const;

private:
  void examine_machines();
  void find_verdict();
  std::string verdict_text() const;
  std::string machines_text() const;
  std::vector<std::string> machine_texts() const;
  std::string cell(const char* name) const;

  const explained_run& run_;
  std::optional<machine_id> machine_;
  record_row row_; ///< of the task
  std::vector<record_row> refusals_;
  machine_wish wish_;
  bool knows_constraints_ = true;
  std::string no_survey_; ///< why no machine can be examined; empty: all were
  machine_survey if_idle_;
  std::optional<machine_finding> asked_;
  placing_verdict verdict_ = placing_verdict::in_doubt;
};

} // namespace troupe
