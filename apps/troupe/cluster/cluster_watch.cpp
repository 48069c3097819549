#include "cluster/cluster_watch.hpp"

#include <chrono>
#include <exception>
#include <memory>

namespace troupe {

namespace {

constexpr auto interval = std::chrono::milliseconds{500};
constexpr auto pause = std::chrono::milliseconds{50};

} // namespace

cluster_watch::cluster_watch(cluster_client_options options)
  : options_(std::move(options)), thread_([this] { look_on(); }) {}

cluster_watch::~cluster_watch() {
  stop_ = true;
  thread_.join();
}

cluster_watch::news cluster_watch::latest() const {
  const std::lock_guard lock{mutex_};
  return latest_;
}

void cluster_watch::tell(std::optional<cluster_report> report, const std::string& trouble) {
  const std::lock_guard lock{mutex_};
  ++latest_.number;
  latest_.report = std::move(report);
  latest_.trouble = trouble;
}

void cluster_watch::look_on() {
  std::unique_ptr<cluster_client> line;
  while (!stop_) {
    try {
      if (!line)
        line = std::make_unique<cluster_client>(options_);
      tell(line->status(), "");
    } catch (const std::exception& e) {
      line.reset();
      tell(std::nullopt, e.what());
    }
    const auto until = std::chrono::steady_clock::now() + interval;
    while (!stop_ && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(pause);
  }
}

} // namespace troupe
