#pragma once

#include "live/live_page.hpp"
#include "nodes/client/cluster_live.hpp"
#include "web/server.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace troupe {

/// What a cluster's page needs from the process that it is served by.
struct cluster_page_host {
  cluster_live::connect_function connect;

  /// Returns a connection to a cluster that has taken the place of one that does not answer; null
  /// if there is none. May be empty.
  std::function<std::unique_ptr<cluster_live>()> find_another{};

  /// Has `answer` called soon by the thread that calls `look`. Called from any thread.
  std::function<void()> wake{};

  /// Adds further routes. May be empty.
  std::function<void(route_table&)> mount{};

  /// Tells the operator when the cluster stops to answer, and when it answers again.
  std::function<void(const std::string&)> say{};
};

/// Serves the live page, the API and the metrics of a cluster. It asks the cluster once per call of
/// `look`, however many readers there are.
class cluster_page {
public:
  /// Begins to serve. Throws as `web_server`.
  cluster_page(cluster_page_host host, const web_options& where);

  std::string url() const { return server_->url(); }

  /// Asks the cluster for news, and shows them. Returns why it does not answer, or an empty text;
  /// the page also says so, and keeps its data. Takes some seconds at most. All calls are from one
  /// thread.
  std::string look();

  /// Asks the cluster the readers' questions about tasks. Called by the thread that calls `look`.
  void answer();

private:
  struct enquiry {
    story_request about;
    web_reply reply;
  };

  live_sources sources();
  void enquire(story_request about, const web_reply& reply);
  void show();
  void look_for_another();
  void note(const std::string& what, const std::string& detail);

  cluster_page_host host_;
  std::mutex mutex_;
  std::vector<enquiry> enquiries_; // guarded by mutex_
  std::unique_ptr<cluster_live> live_;
  std::shared_ptr<live_board> board_ = std::make_shared<live_board>();
  std::vector<live_event> own_events_; ///< that the cluster did not answer, and did again
  std::string shown_;                  ///< the run, and its events, that the page has
  bool answered_ = false;              ///< so far
  int unanswered_ = 0;                 ///< looks one after the other
  bool silent_ = false;                ///< it was noted that the cluster does not answer
  live_page page_;
  std::unique_ptr<web_server> server_; ///< ends before the objects that it serves
};

} // namespace troupe
