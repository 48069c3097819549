#include "peers/simgrid_cluster.hpp"

#include <memory>
#include <string>

// All is told by messages: a source sends jobs to the scheduler, the scheduler sends tasks to the
// workers, and the workers tell the scheduler that they are idle again.

namespace troupe::peers {

namespace {

namespace sg = simgrid::s4u;

/// A message to the scheduler: a job, or the number of a worker.
struct notice {
  bool is_job = false;
  std::uint32_t worker = 0;
  double submitted = 0;
};

struct mailboxes {
  sg::Mailbox* scheduler = nullptr;
  std::vector<sg::Mailbox*> workers;
  std::vector<notice> idle; ///< by worker: its message, which it sends again and again
  std::vector<notice> jobs;
};

void send(sg::Mailbox* to, notice& what) {
  to->put_init(&what, 1)->detach();
}

void work(simgrid_cluster& cluster, mailboxes& all, std::uint32_t number) {
  for (;;) {
    all.workers[number]->get<notice>();
    sg::this_actor::sleep_for(cluster.setup.task);
    send(all.scheduler, all.idle[number]);
  }
}

void submit(simgrid_cluster& cluster, mailboxes& all) {
  job_arrivals arrivals{cluster.setup};
  for (auto& job : all.jobs) {
    job.submitted = arrivals.wait_for_next();
    send(all.scheduler, job);
  }
}

void schedule(simgrid_cluster& cluster, mailboxes& all) {
  const auto tasks = std::uint64_t{cluster.setup.jobs} * cluster.setup.tasks_per_job;
  std::vector<notice*> waiting; ///< one for each task, the oldest first
  std::size_t placed = 0;
  for (std::uint64_t ended = 0; ended < tasks;) {
    auto* news = all.scheduler->get<notice>();
    if (news->is_job) {
      waiting.insert(waiting.end(), cluster.setup.tasks_per_job, news);
    } else {
      cluster.idle.add(news->worker);
      ++ended;
    }
    for (; placed < waiting.size() && !cluster.idle.empty(); ++placed) {
      cluster.book(waiting[placed]->submitted);
      send(all.workers[cluster.idle.take()], *waiting[placed]);
    }
  }
}

} // namespace

void start_with_mailboxes(simgrid_cluster& cluster) {
  const auto all = std::make_shared<mailboxes>();
  all->scheduler = sg::Mailbox::by_name("scheduler");
  all->jobs.resize(cluster.setup.jobs, {true, 0, 0});
  for (std::uint32_t w = 0; w < cluster.setup.workers; ++w) {
    all->workers.push_back(sg::Mailbox::by_name("worker-" + std::to_string(w)));
    all->idle.push_back({false, w, 0});
    sg::Actor::create("worker", cluster.host, [&cluster, all, w] {
      work(cluster, *all, w);
    })->daemonize();
  }
  sg::Actor::create("source", cluster.host, [&cluster, all] { submit(cluster, *all); });
  sg::Actor::create("scheduler", cluster.host, [&cluster, all] { schedule(cluster, *all); });
}

} // namespace troupe::peers
