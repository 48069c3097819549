#pragma once

#include "experiments/processes/execute.hpp"
#include "report/progress/progress.hpp"

#include <functional>
#include <ostream>

namespace troupe {

/// Shows the progress of an execution, with the time left, the failures and, optionally, the values
/// that searches try. Plain lines are 10 s apart; one comes when the first run is done.
class execution_printer final : public execution_monitor {
public:
  /// Writes to `out`. `seconds` returns the wall time since the start.
  execution_printer(std::ostream& out, progress_style style, std::function<double()> seconds,
                    bool steps = false);

  void progress(const execution_progress& at) override;
  void failed(const std::string& text) override;
  void stepped(const planned_run& plan, const search_step& step) override;

  /// Ends the line.
  void finish();

private:
  std::ostream* out_;
  progress_style style_;
  std::function<double()> seconds_;
  bool steps_;
  double shown_ = 0; ///< when the previous line was shown
  bool open_ = false;
  bool estimated_ = false; ///< a plain line has told the time left
};

} // namespace troupe
