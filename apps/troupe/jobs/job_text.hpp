#pragma once

#include "jobs/store/rows.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>

namespace troupe {

using api_json = nlohmann::json;

/// Writes jobs as a table that fits into `width` columns.
void write_jobs(std::ostream& out, const api_json& jobs, std::size_t width);

/// Writes one job, with what it waits for or why it failed.
void write_job(std::ostream& out, const api_json& job);

/// Writes tasks as a table.
void write_tasks(std::ostream& out, const api_json& job, const api_json& tasks);

/// Writes a task with its attempts.
void write_task(std::ostream& out, const api_json& job, const api_json& task);

/// Returns "succeeded: 100 tasks in 3.2 s", "failed: 1 of 100 tasks failed (exit code 3)".
std::string job_in_words(const api_json& job);

/// Returns the state of a job, if it is one that this program knows.
std::optional<job_state> job_state_of(const api_json& job);

bool is_over(const api_json& job);

} // namespace troupe
