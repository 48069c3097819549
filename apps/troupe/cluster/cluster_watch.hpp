#pragma once

#include "nodes/client/cluster_client.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace troupe {

/// Observes a cluster twice a second, in its own thread, so that callers never wait for a cluster
/// that does not answer.
class cluster_watch {
public:
  explicit cluster_watch(cluster_client_options options);
  cluster_watch(const cluster_watch&) = delete;
  cluster_watch& operator=(const cluster_watch&) = delete;

  /// Waits for a pending answer, or for its time-out.
  ~cluster_watch();

  struct news {
    std::uint64_t number = 0; ///< counts the observations
    std::optional<cluster_report> report;
    std::string trouble; ///< why there is none
  };

  /// The last observation.
  news latest() const;

private:
  void look_on();
  void tell(std::optional<cluster_report> report, const std::string& trouble);

  cluster_client_options options_;
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;
  news latest_; // guarded by mutex_
  std::thread thread_;
};

} // namespace troupe
