#pragma once

#include "nodes/observer.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace troupe {

/// Looks at a cluster twice a second, in a thread of its own, so that nobody has to wait for a
/// cluster that does not answer.
class cluster_watch {
public:
  explicit cluster_watch(observer_options options);
  cluster_watch(const cluster_watch&) = delete;
  cluster_watch& operator=(const cluster_watch&) = delete;

  /// Waits for an answer that is under way, or for the end of its time.
  ~cluster_watch();

  struct news {
    std::uint64_t number = 0; ///< counts what has been seen
    std::optional<cluster_report> report;
    std::string trouble; ///< why there is none
  };

  /// What was seen last.
  news latest() const;

private:
  void look_on();
  void tell(std::optional<cluster_report> report, const std::string& trouble);

  observer_options options_;
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;
  news latest_; // guarded by mutex_
  std::thread thread_;
};

} // namespace troupe
