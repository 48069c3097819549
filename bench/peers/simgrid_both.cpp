#include "peers/simgrid_cluster.hpp"

#include <memory>
#include <string>

// The scheduler sends tasks to the mailboxes of the workers. A semaphore counts the idle workers.

namespace troupe::peers {

namespace {

namespace sg = simgrid::s4u;

struct parts {
  sg::SemaphorePtr idle;
  std::vector<sg::Mailbox*> workers;
  char task = 0; ///< the content of a message: all tasks are alike
};

void work(simgrid_cluster& cluster, parts& all, std::uint32_t number) {
  for (;;) {
    all.workers[number]->get<char>();
    sg::this_actor::sleep_for(cluster.setup.task);
    cluster.idle.add(number);
    all.idle->release();
  }
}

void schedule(simgrid_cluster& cluster, parts& all) {
  job_arrivals arrivals{cluster.setup};
  for (std::uint32_t j = 0; j < cluster.setup.jobs; ++j) {
    const auto submitted = arrivals.wait_for_next();
    for (std::uint32_t i = 0; i < cluster.setup.tasks_per_job; ++i) {
      all.idle->acquire();
      cluster.book(submitted);
      all.workers[cluster.idle.take()]->put_init(&all.task, 1)->detach();
    }
  }
  for (std::uint32_t w = 0; w < cluster.setup.workers; ++w)
    all.idle->acquire();
}

} // namespace

void start_with_both(simgrid_cluster& cluster) {
  const auto all = std::make_shared<parts>();
  all->idle = sg::Semaphore::create(cluster.setup.workers);
  for (std::uint32_t w = 0; w < cluster.setup.workers; ++w) {
    all->workers.push_back(sg::Mailbox::by_name("worker-" + std::to_string(w)));
    sg::Actor::create("worker", cluster.host, [&cluster, all, w] {
      work(cluster, *all, w);
    })->daemonize();
  }
  sg::Actor::create("scheduler", cluster.host, [&cluster, all] { schedule(cluster, *all); });
}

} // namespace troupe::peers
