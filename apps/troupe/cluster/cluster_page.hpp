#pragma once

#include "cluster/cluster_access.hpp"
#include "live/live_page.hpp"
#include "nodes/client/cluster_live.hpp"
#include "web/server.hpp"

#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Serves the live page, the API and the metrics of a running cluster, as one of its clients: it
/// asks the cluster once per interval, however many readers there are.
class cluster_page {
public:
  /// Connects, and begins to serve. Throws `usage_error` if the options are wrong, and
  /// `std::runtime_error` if the cluster does not answer.
  cluster_page(const cluster_access& access, const web_options& where);

  std::string url() const { return server_->url(); }

  /// Asks the cluster for news, and shows them. If the cluster does not answer, looks in its
  /// directory for a new one, which has another address; the page says so meanwhile.
  void look();

private:
  void show();
  void look_for_another();
  void note(const std::string& what, const std::string& detail);

  cluster_access access_;
  host_port at_;
  std::unique_ptr<cluster_live> live_;
  std::shared_ptr<live_board> board_ = std::make_shared<live_board>();
  std::vector<live_event> own_events_; ///< that the cluster did not answer, and did again
  std::string shown_;                  ///< the run, and its events, that the page has
  bool answers_ = true;
  live_page page_;
  std::unique_ptr<web_server> server_; ///< ends before what it serves
};

} // namespace troupe
