#include "peers/bare_sparrow.hpp"

#include <algorithm>

namespace troupe::peers {

using kind = sparrow_event::kind;

bare_sparrow::bare_sparrow(const sparrow_setup& setup)
  : setup_(setup),
    probes_(setup.tasks_per_job * setup.probes_per_task),
    random_(setup.seed),
    jobs_(setup.jobs),
    machines_(setup.machines, machine{setup.slots, {}}),
    probed_(std::size_t{setup.jobs} * probes_),
    asked_(probed_.size()),
    last_of_(setup.machines) {}

peer_figures bare_sparrow::run() {
  if (setup_.jobs > 0)
    after(0, kind::submission, 0);
  while (!events_.empty()) {
    const auto event = events_.pop();
    now_ = event.at;
    switch (event.what) {
    case kind::submission:
      submit(event.to);
      break;
    case kind::arrival:
      machines_[probed_[event.to]].queue.push_back(event.to);
      serve(probed_[event.to]);
      break;
    case kind::request:
      request(event.to);
      break;
    case kind::task: {
      const auto& of = jobs_[job_of(event.to)];
      figures_.delay += static_cast<double>(now_ - of.submitted) * 1e-9;
      ++figures_.tasks;
      after(of.duration, kind::end, event.to);
      break;
    }
    case kind::nothing:
      ++machines_[probed_[event.to]].free;
      serve(probed_[event.to]);
      break;
    case kind::end:
      end(event.to);
      break;
    case kind::cancellation:
      cancel(event.to);
      break;
    }
  }
  return figures_;
}

/// Sends reservations to different machines drawn at random.
void bare_sparrow::submit(std::uint32_t number) {
  auto& of = jobs_[number];
  of = {now_, static_cast<std::int64_t>(random_.exponential(setup_.mean_task)),
        setup_.tasks_per_job, setup_.tasks_per_job};
  for (std::uint32_t i = 0; i < probes_; ++i) {
    auto m = static_cast<std::uint32_t>(random_.below(setup_.machines));
    while (last_of_[m] == number + 1)
      m = static_cast<std::uint32_t>(random_.below(setup_.machines));
    last_of_[m] = number + 1;
    const auto reservation = number * probes_ + i;
    probed_[reservation] = m;
    after(setup_.latency, kind::arrival, reservation);
  }
  if (number + 1 < setup_.jobs) {
    const auto gap = random_.exponential(1e9 * setup_.tasks_per_job / setup_.rate);
    after(static_cast<std::int64_t>(gap), kind::submission, number + 1);
  }
}

/// A machine has asked the scheduler for a task. After the last task, other reservations are
/// cancelled.
void bare_sparrow::request(std::uint32_t reservation) {
  const auto number = job_of(reservation);
  auto& of = jobs_[number];
  asked_[reservation] = 1;
  if (of.waiting == 0) {
    after(setup_.latency, kind::nothing, reservation);
    return;
  }
  after(setup_.latency, kind::task, reservation);
  if (--of.waiting > 0)
    return;
  for (auto r = number * probes_; r < (number + 1) * probes_; ++r)
    if (asked_[r] == 0)
      after(setup_.latency, kind::cancellation, r);
}

void bare_sparrow::cancel(std::uint32_t reservation) {
  auto& queue = machines_[probed_[reservation]].queue;
  const auto found = std::find(queue.begin(), queue.end(), reservation);
  if (found != queue.end())
    queue.erase(found);
}

void bare_sparrow::end(std::uint32_t reservation) {
  auto& of = jobs_[job_of(reservation)];
  if (--of.left == 0) {
    ++figures_.jobs;
    figures_.response += static_cast<double>(now_ - of.submitted) * 1e-9;
  }
  ++machines_[probed_[reservation]].free;
  serve(probed_[reservation]);
}

/// A free slot is held while the machine asks for a task.
void bare_sparrow::serve(std::uint32_t number) {
  auto& m = machines_[number];
  while (m.free > 0 && !m.queue.empty()) {
    --m.free;
    after(setup_.latency, kind::request, m.queue.front());
    m.queue.erase(m.queue.begin());
  }
}

} // namespace troupe::peers
