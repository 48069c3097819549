#pragma once

#include "report/explain/explain_names.hpp"
#include "report/explain/task_story.hpp"

#include <nlohmann/json_fwd.hpp>

namespace troupe {

/// The members of `explain --json` that tell of one task (docs/json.md).
nlohmann::ordered_json story_json(const task_story& story, const job& of,
                                  const explain_names& names);

/// A survey as `why-not --json` has it.
nlohmann::ordered_json survey_json(const machine_survey& all, const machine_wish& wish);

/// A finding about one machine; null if there is none.
nlohmann::ordered_json finding_json(const std::optional<machine_finding>& found,
                                    const machine_wish& wish);

/// The name of a check, such as "no_room".
std::string_view name_of(machine_check check);

/// An instant or a span in s; null if it is not known.
nlohmann::ordered_json json_seconds(duration at);

} // namespace troupe
