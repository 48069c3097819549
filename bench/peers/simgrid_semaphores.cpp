#include "peers/simgrid_cluster.hpp"

#include <memory>

// Each worker waits for tasks at a semaphore of its own. The scheduler takes a worker from the list
// of idle ones; where there is none, it waits at a semaphore for the next.

namespace troupe::peers {

namespace {

namespace sg = simgrid::s4u;

struct semaphores {
  std::vector<sg::SemaphorePtr> tasks; ///< by worker
  sg::SemaphorePtr idle;
  bool wanted = false; ///< the scheduler waits for an idle worker
};

void work(simgrid_cluster& cluster, semaphores& all, std::uint32_t number) {
  for (;;) {
    all.tasks[number]->acquire();
    sg::this_actor::sleep_for(cluster.setup.task);
    cluster.idle.add(number);
    if (all.wanted) {
      all.wanted = false;
      all.idle->release();
    }
  }
}

void schedule(simgrid_cluster& cluster, semaphores& all) {
  job_arrivals arrivals{cluster.setup};
  for (std::uint32_t j = 0; j < cluster.setup.jobs; ++j) {
    const auto submitted = arrivals.wait_for_next();
    for (std::uint32_t i = 0; i < cluster.setup.tasks_per_job; ++i) {
      if (cluster.idle.empty()) {
        all.wanted = true;
        all.idle->acquire();
      }
      cluster.book(submitted);
      all.tasks[cluster.idle.take()]->release();
    }
  }
  sg::this_actor::sleep_for(cluster.setup.task);
}

} // namespace

void start_with_semaphores(simgrid_cluster& cluster) {
  const auto all = std::make_shared<semaphores>();
  all->idle = sg::Semaphore::create(0);
  for (std::uint32_t w = 0; w < cluster.setup.workers; ++w) {
    all->tasks.push_back(sg::Semaphore::create(0));
    sg::Actor::create("worker", cluster.host, [&cluster, all, w] {
      work(cluster, *all, w);
    })->daemonize();
  }
  sg::Actor::create("scheduler", cluster.host, [&cluster, all] { schedule(cluster, *all); });
}

} // namespace troupe::peers
