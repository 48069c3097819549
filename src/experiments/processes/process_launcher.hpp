#pragma once

#include "experiments/processes/child_process.hpp"
#include "experiments/processes/launcher.hpp"
#include "experiments/processes/run_store.hpp"

#include <deque>
#include <filesystem>
#include <functional>
#include <vector>

namespace troupe {

/// Runs as processes: `PROGRAM run CONFIG --seed N --no-report --set ... --out DIR`, with results
/// in a `run_store`. The option `--end-with PID` makes them end with this process, even if it is
/// killed.
class process_launcher final : public launcher {
public:
  struct config {
    std::filesystem::path program;
    run_store store;
    bool resume = false;        ///< reuse results of the store
    std::function<bool()> stop; ///< whether the user requests a stop; called several times a second
  };

  explicit process_launcher(config c);

  void start(std::size_t id, const run_request& request) override;
  std::optional<finished> wait() override;
  bool stop_requested() override;

  /// The number of runs whose results came from the store.
  std::size_t reused() const { return reused_; }

private:
  struct child {
    std::size_t id;
    run_request request;
    child_process process;
  };

  run_reply end_of(child& c);

  config config_;
  std::vector<child> children_;
  std::deque<finished> ready_; ///< reused
  std::size_t reused_ = 0;
  bool told_to_stop_ = false;
};

} // namespace troupe
