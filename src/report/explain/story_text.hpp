#pragma once

#include "report/explain/explain_names.hpp"
#include "report/explain/task_story.hpp"

#include <string>
#include <vector>

namespace troupe {

/// Renders a story as sentences, in the order of time; the first one says how it ended.
std::vector<std::string> sentences_of(const task_story& story, const job& of,
                                      const catalog& machines, const explain_names& names,
                                      instant until);

/// Renders the story of a job as a whole: its tasks by their ends, and the next useful command.
std::vector<std::string> sentences_of_job(const job& of, std::span<const watched_event> events,
                                          const catalog& machines, const explain_names& names,
                                          instant until);

} // namespace troupe
