#pragma once

#include "model/base/ids.hpp"
#include "report/explain/explain_names.hpp"
#include "report/explain/record_rows_of.hpp"
#include "runtime/inspect/replay.hpp"
#include "settings/schema/settings.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace troupe {

/// What `explain` and `why-not` have in common.
struct explain_input {
  std::string task;
  std::string directory;
  bool quiet = false;
  bool as_json = false;
  // For processes that answer questions about a run that another one makes or has made:
  bool unfinished = false; ///< what there is of it in the directory is that so far
  std::string until;       ///< its time; empty: it has ended
  std::int64_t end_with = 0;
};

/// Adds --in, --quiet and --json to `command`, and the hidden options for runs that go on; `input`
/// must outlive it. Returns --in.
CLI::Option* add_result_options(CLI::App& command, explain_input& input);

/// A task or a job that the user has named.
struct named_task {
  job_id job = 0;
  std::optional<std::uint32_t> task;
};

/// A run that is to be explained: its settings, and what is recorded of the job.
class explained_run {
public:
  /// Reads `input.directory`. `command` begins its messages. Throws `usage_error` if there are no
  /// results of a run, or the task is no task's name, and `std::runtime_error` if the records do
  /// not have the task.
  explained_run(std::string command, const explain_input& input);

  const run_settings& settings() const { return settings_; }
  const std::filesystem::path& directory() const { return directory_; }
  const named_task& asked() const { return asked_; }
  const job_rows& rows() const { return rows_; }
  const explain_names& names() const { return names_; }

  /// Why the run cannot be made again; empty if it can.
  const std::string& why_no_replay() const { return why_no_replay_; }

  /// Makes the run again, up to its time if it goes on. Says on standard error how long that takes,
  /// unless quiet. Throws `std::runtime_error` if the run cannot be made again, differs from the
  /// recorded one, or has no such task.
  replay_answer replay(const replay_question& question) const;

  [[noreturn]] void refuse_unknown(const std::string& why) const;

private:
  named_task parse(const std::string& text) const;
  void check_replay();

  std::string command_;
  std::filesystem::path directory_;
  bool quiet_;
  bool unfinished_;
  std::optional<instant> until_;
  run_settings settings_;
  named_task asked_;
  job_rows rows_;
  explain_names names_;
  std::string why_no_replay_;
};

/// Prints sentences as paragraphs that fit the terminal.
void print_sentences(const std::vector<std::string>& sentences);

} // namespace troupe
