#pragma once

#include <functional>
#include <stdexcept>

namespace CLI {
class App;
}

namespace troupe {

/// Exit codes of the program. A run ended by a signal returns 128 plus the signal's number.
namespace exit_code {
inline constexpr int done = 0;
inline constexpr int failed = 1; ///< the run, a self-check or a verification failed
inline constexpr int usage = 2;  ///< the settings or the command line are wrong
} // namespace exit_code

/// The command line, or an input named on it, is wrong: nothing was started, nothing was written.
/// what() is one line for the user.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs the chosen subcommand once the whole command line has been read; returns the program's exit
/// code.
using action = std::function<int()>;

/// Each adds its subcommand to `app`. If that is chosen, parsing sets `chosen`, which must outlive
/// `app`.
void add_run_command(CLI::App& app, action& chosen);
void add_chaos_command(CLI::App& app, action& chosen);
void add_config_command(CLI::App& app, action& chosen);
void add_compare_command(CLI::App& app, action& chosen);
void add_sweep_command(CLI::App& app, action& chosen);
void add_fidelity_command(CLI::App& app, action& chosen);
void add_find_command(CLI::App& app, action& chosen);
void add_experiment_command(CLI::App& app, action& chosen);
void add_report_command(CLI::App& app, action& chosen);
void add_export_command(CLI::App& app, action& chosen);
void add_explain_command(CLI::App& app, action& chosen);
void add_why_not_command(CLI::App& app, action& chosen);
void add_results_command(CLI::App& app, action& chosen);
void add_policies_command(CLI::App& app, action& chosen);
void add_policy_command(CLI::App& app, action& chosen);
void add_check_command(CLI::App& app, action& chosen);
void add_new_command(CLI::App& app, action& chosen);
void add_node_command(CLI::App& app, action& chosen);
void add_trace_command(CLI::App& app, action& chosen);
void add_certs_command(CLI::App& app, action& chosen);
void add_cluster_command(CLI::App& app, action& chosen);
void add_status_command(CLI::App& app, action& chosen);
void add_nodes_command(CLI::App& app, action& chosen);
void add_top_command(CLI::App& app, action& chosen);
void add_serve_command(CLI::App& app, action& chosen);
void add_drain_command(CLI::App& app, action& chosen);
void add_submit_command(CLI::App& app, action& chosen);
void add_jobs_command(CLI::App& app, action& chosen);
void add_job_command(CLI::App& app, action& chosen);
void add_logs_command(CLI::App& app, action& chosen);
void add_wait_command(CLI::App& app, action& chosen);
void add_cancel_command(CLI::App& app, action& chosen);
void add_retry_command(CLI::App& app, action& chosen);
void add_store_command(CLI::App& app, action& chosen);
void add_record_command(CLI::App& app, action& chosen);
void add_completion_command(CLI::App& app, action& chosen);
void add_man_command(CLI::App& app, action& chosen);
void add_version_command(CLI::App& app, action& chosen);

} // namespace troupe
