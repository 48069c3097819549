#pragma once

#include "actors/protocol/messages.hpp"
#include "model/base/run_set.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

/// Every typed interface of the protocol: the messages that each kind of actor takes, and its
/// reaction to each. INTERNAL marks messages that an actor only sends to itself.
namespace troupe {

// The interface of machines to owners.
using launching_actor = caf::typed_actor<
  // Starts a task on the machine's executor, or ends one before its time.
  caf::reacts_to<machine_order>>;

using machine_actor = launching_actor::extend<
  // Notes the end of a run on its executor, and tells the owner; if failures are watched.
  caf::reacts_to<ended_atom, run_number, task_end>,
  // Extends its lease, obeys a new owner, or continues as a new incarnation of itself.
  caf::reacts_to<lease_reply>,
  // Extends its lease, or the leases of all machines of its process.
  caf::reacts_to<process_lease>,
  // Shows a sign of life.
  caf::reacts_to<heartbeat_atom>,
  // Finishes its tasks and takes no more.
  caf::reacts_to<leave_atom>>;

// A machine with a queue of tasks and reservations. It asks for the task of a reservation when
// the reservation is at the head of the queue (Sparrow). If failures are watched, the orders of
// schedulers come in queue_orders, and entries move to other machines by way of the schedulers.
using queueing_machine_actor = launching_actor::extend<
  // Notes the end of a run on its executor, and continues with its queue; if failures are watched,
  // tells the scheduler.
  caf::reacts_to<ended_atom, run_number, task_end>,
  // Queues a reservation or a task.
  caf::reacts_to<queue_entry>,
  // Starts the task for which it has asked, or continues with its queue.
  caf::reacts_to<task_assignment>,
  // Drops the reservations of a job.
  caf::reacts_to<cancellation>,
  // Tells the scheduler how long its queue is, with a probe_answer.
  caf::reacts_to<queue_probe>,
  // Hands the entries that wait behind a long task over to the machine with this number.
  caf::reacts_to<steal_atom, machine_id>,
  // Queues the entries; if failures are watched, schedulers order this instead.
  caf::reacts_to<stolen_entries>,
  // If failures are not watched: has this capacity from now on. Kills tasks that no longer fit,
  // drops entries that can never fit, and lets its node tell the schedulers.
  caf::reacts_to<machine_capacity>,
  // Notes that a scheduler knows the machine's capacity.
  caf::reacts_to<capacity_heard>,
  // Carries out the orders of a scheduler, continues for another lease, obeys a new incarnation of
  // the scheduler, or drops everything that it has of it; answers with a queue_report if needed.
  caf::reacts_to<queue_orders>,
  // Extends its lease, or the leases of all machines of its process.
  caf::reacts_to<process_lease>,
  // Extends the lease of its owner, obeys a new owner, or drops all tasks of its owner.
  caf::reacts_to<lease_reply>,
  // Repeats overdue messages, and sends heartbeats to the schedulers whose entries or tasks it has.
  caf::reacts_to<heartbeat_atom>,
  // INTERNAL: stops the tasks whose lease has expired.
  caf::reacts_to<wake_atom>,
  // Finishes its tasks and entries, and takes no more.
  caf::reacts_to<leave_atom>>;

using owner_actor = caf::typed_actor<
  // Learns how to reach the schedulers.
  caf::reacts_to<peers>,
  // Grants or refuses each placement, launches the granted ones, answers with a commit_reply.
  caf::reacts_to<commit_request>,
  // Sends each scheduler of the round the snapshots of the round.
  caf::reacts_to<sync_round>,
  // Books the ends and frees the resources; the schedulers hear of it with the next report.
  caf::reacts_to<task_ends>,
  // Forgets the reports that the scheduler has seen.
  caf::reacts_to<report_seen>,
  // Forgets the reports that the allocator has seen.
  caf::reacts_to<capacity_seen>,
  // Adds or removes a machine, or changes its capacity; kills the tasks that no longer fit and
  // reports them as lost.
  caf::reacts_to<machine_capacity>,
  // INTERNAL: sends the reports that are due.
  caf::reacts_to<report_atom>,
  // INTERNAL: repeats unacknowledged reports.
  caf::reacts_to<resend_atom>,
  // INTERNAL: releases resources that are held for silent schedulers.
  caf::reacts_to<wake_atom>,
  // Returns the counts since the last answer.
  caf::replies_to<sample_atom>::with<owner_status>,
  // The same, after checking the books of every machine.
  caf::replies_to<flush_atom>::with<owner_status>,
  // Only in clusters that watch failures:
  // INTERNAL: sends heartbeats, and looks for silent members.
  caf::reacts_to<heartbeat_atom>,
  // Notes when the master last heard from it.
  caf::reacts_to<heartbeat_reply>,
  // Learns the present members; quits if another one has taken its place.
  caf::reacts_to<membership>,
  // Books a machine's heartbeat and its events; answers with a lease_reply.
  caf::reacts_to<machine_heartbeat>,
  // Notes that machines are alive; answers with a process_lease.
  caf::reacts_to<process_heartbeat>,
  // Reports all capacities to a new incarnation of the allocator, and grants only on its offers.
  caf::reacts_to<capacity_call>,
  // Returns the counts since the last answer that the recorder has received.
  caf::replies_to<sample_request>::with<owner_status>>;

// The interface of every scheduler to workloads and the recorder, for any protocol with machines.
using scheduler_actor = caf::typed_actor<
  // Learns how to reach the others, and begins.
  caf::reacts_to<peers>,
  // Queues the jobs' tasks.
  caf::reacts_to<submission>,
  // Returns the counts since the last answer.
  caf::replies_to<sample_atom>::with<scheduler_status>>;

// A scheduler that places tasks on a view and commits to partition owners.
using placing_scheduler_actor = scheduler_actor::extend<
  // Books an owner's answer: refused tasks are queued again.
  caf::reacts_to<commit_reply>,
  // Refreshes partitions of the view.
  caf::reacts_to<sync_update>,
  // Books the ends of tasks.
  caf::reacts_to<task_report>,
  // Adds the offer to the view, and answers when no more tasks can be placed on it.
  caf::reacts_to<resource_offer>,
  // Repeats the answer to the offer, or answers at once if the offer is rescinded.
  caf::reacts_to<offer_recall>,
  // Takes another policy from the next decision on.
  caf::reacts_to<policy_choice>,
  // INTERNAL: a decision has taken its time: commits it.
  caf::reacts_to<decided_atom>,
  // INTERNAL: decides again: a retry is due.
  caf::reacts_to<wake_atom>,
  // INTERNAL: repeats unanswered commits.
  caf::reacts_to<resend_atom>,
  // Only in clusters where failures are watched:
  // INTERNAL: sends a heartbeat.
  caf::reacts_to<heartbeat_atom>,
  // Notes when the master last heard from it.
  caf::reacts_to<heartbeat_reply>,
  // Learns the present members; quits if another one has taken its place.
  caf::reacts_to<membership>,
  // Corrects its books by the statement of an owner; answers with a report_seen.
  caf::reacts_to<owner_statement>,
  // Queues jobs, among them the unfinished ones of an earlier incarnation.
  caf::reacts_to<job_delivery>,
  // Forgets the ends that a job store has noted.
  caf::reacts_to<store_seen>,
  // Returns the counts since the last answer that the recorder has received.
  caf::replies_to<sample_request>::with<scheduler_status>>;

// A scheduler that uses the queues of machines.
using queue_client_actor = scheduler_actor::extend<
  // Answers the machine with a task_assignment: a reservation's turn has come.
  caf::reacts_to<get_task_request>,
  // Notes how long a queue is; sends tasks once all answers of the round are there.
  caf::reacts_to<probe_answer>,
  // Books starts and ends of tasks.
  caf::reacts_to<task_news>,
  // A machine leaves, fails, returns or changes: answers with a capacity_heard, then runs the tasks
  // that no longer fit on other machines.
  caf::reacts_to<capacity_notice>>;

// A scheduler that probes machines and hands out tasks when they ask for them (Sparrow). Where
// failures are watched, the events of machines come in queue_reports, and jobs in deliveries.
using sparrow_scheduler_actor = queue_client_actor::extend<
  // Answers each of these requests, as if they had come one by one.
  caf::reacts_to<task_requests>,
  // INTERNAL: a decision has taken its time: probes, reserves or sends.
  caf::reacts_to<decided_atom>,
  // INTERNAL: a window of some machines has ended: finds machines for jobs that lack them.
  caf::reacts_to<wake_atom>,
  // Books the events of a machine, and answers with queue_orders.
  caf::reacts_to<queue_report>,
  // Notes that machines are alive; answers with a process_lease.
  caf::reacts_to<process_heartbeat>,
  // INTERNAL: sends heartbeats, looks for silent machines, repeats messages that may be lost.
  caf::reacts_to<heartbeat_atom>,
  // Notes when the master last heard from it.
  caf::reacts_to<heartbeat_reply>,
  // Learns the present members; quits if another one has taken its place.
  caf::reacts_to<membership>,
  // Queues jobs, among them the unfinished ones of an earlier incarnation.
  caf::reacts_to<job_delivery>,
  // Forgets the ends that a job store has noted.
  caf::reacts_to<store_seen>,
  // Returns the counts since the last answer that the recorder has received.
  caf::replies_to<sample_request>::with<scheduler_status>>;

using allocator_actor = caf::typed_actor<
  // Learns how to reach owners and schedulers, and begins to offer.
  caf::reacts_to<peers>,
  // Takes the unused resources of answered offers back.
  caf::reacts_to<offer_answer>,
  // Books freed resources, and machines that left or returned.
  caf::reacts_to<capacity_report>,
  // INTERNAL: offers the free resources.
  caf::reacts_to<round_atom>,
  // INTERNAL: asks for missing answers, and rescinds offers that have timed out.
  caf::reacts_to<resend_atom>,
  // Returns the counts since the last answer.
  caf::replies_to<sample_atom>::with<allocator_status>,
  // Only in clusters that watch failures:
  // INTERNAL: sends a heartbeat, and asks owners for their capacities.
  caf::reacts_to<heartbeat_atom>,
  // Notes that the master lives.
  caf::reacts_to<heartbeat_reply>,
  // Begins a new incarnation of itself if owners or schedulers were replaced.
  caf::reacts_to<membership>,
  // Offers the machines of the owner from now on.
  caf::reacts_to<capacity_statement>,
  // Returns the counts since the last answer that the recorder has received.
  caf::replies_to<sample_request>::with<allocator_status>>;

using node_actor = caf::typed_actor<
  // Learns how to reach the owners, and those schedulers that launch tasks without them.
  caf::reacts_to<peers>,
  // Sets its timer again: a task that ends earlier has been started.
  caf::reacts_to<wake_atom>,
  // INTERNAL: reports the ends that are due to their owners.
  caf::reacts_to<due_atom>,
  // INTERNAL: reports starts and ends of tasks to the schedulers that launched them without an
  // owner.
  caf::reacts_to<report_atom>,
  // Tells schedulers these news at once, and then the new capacity of a machine.
  caf::reacts_to<capacity_update>,
  // Answers with the counts since the start.
  caf::replies_to<sample_atom>::with<node_status>>;

using workload_actor = caf::typed_actor<
  // Learns how to reach the schedulers of its group, and begins.
  caf::reacts_to<peers>,
  // INTERNAL: submits the jobs that are due.
  caf::reacts_to<due_atom>,
  // Returns the numbers of submitted jobs and tasks since the start.
  caf::replies_to<sample_atom>::with<workload_status>,
  // The same, and submits nothing from then on.
  caf::replies_to<flush_atom>::with<workload_status>,
  // Only in clusters that watch failures:
  // INTERNAL: sends a heartbeat, and repeats unconfirmed deliveries of jobs.
  caf::reacts_to<heartbeat_atom>,
  // Notes that the master lives.
  caf::reacts_to<heartbeat_reply>,
  // Hands unfinished jobs to the new incarnations of their schedulers.
  caf::reacts_to<membership>,
  // Notes ends of tasks; answers with a store_seen.
  caf::reacts_to<store_report>>;

using churn_actor = caf::typed_actor<
  // Learns how to reach the owners, or the machines if there are no owners, and begins.
  caf::reacts_to<peers>,
  // INTERNAL: tells these of the changes that are due.
  caf::reacts_to<due_atom>>;

using master_actor = caf::typed_actor<
  // Learns how to reach the owners, and begins the sync rounds.
  caf::reacts_to<peers>,
  // Adds a member; a member leaves when it dies or says so.
  caf::reacts_to<join_atom, member, caf::strong_actor_ptr>,
  // Removes a member; if failures are watched, another one takes its place.
  caf::reacts_to<gone_atom, member>,
  // INTERNAL: starts a round.
  caf::reacts_to<round_atom>,
  // Only in clusters that watch failures:
  // INTERNAL: looks for members that are silent, and promotes others in their place.
  caf::reacts_to<heartbeat_atom>,
  // Notes a heartbeat; answers with a heartbeat_reply, and with the membership if it has changed.
  caf::reacts_to<member_heartbeat>>;

// The following interfaces are parts of those above, for members that talk to several kinds of
// actors, and those of standbys; for clusters in which failures are watched.

// The interface of a machine to its node.
using task_host_actor = caf::typed_actor<
  // Notes the end of a run on its executor.
  caf::reacts_to<ended_atom, run_number, task_end>>;

// Schedulers as the recorder sees them in runs with failures.
using sampled_scheduler_actor = caf::typed_actor<
  // Returns the counts since the last answer that the recorder has received.
  caf::replies_to<sample_request>::with<scheduler_status>>;

// The interface of schedulers to job stores.
using job_taker_actor = caf::typed_actor<
  // Queues jobs, among them the unfinished ones of an earlier incarnation.
  caf::reacts_to<job_delivery>,
  // Forgets the ends that a job store has noted.
  caf::reacts_to<store_seen>>;

// The interface of members to the master.
using follower_actor = caf::typed_actor<
  // Notes when the master last heard from it.
  caf::reacts_to<heartbeat_reply>,
  // Learns the present members.
  caf::reacts_to<membership>>;

// A standby, which can become an owner or a scheduler.
using standby_actor = caf::typed_actor<
  // INTERNAL: sends a heartbeat.
  caf::reacts_to<heartbeat_atom>,
  // Notes that the master lives.
  caf::reacts_to<heartbeat_reply>,
  // Starts a member beside itself.
  caf::reacts_to<promotion>>;

using recorder_actor = caf::typed_actor<
  // INTERNAL: asks the members that have counts from before the beginning.
  caf::reacts_to<start_atom>,
  // INTERNAL: asks all members for their counts of the interval that ends now.
  caf::reacts_to<due_atom>,
  // Takes the last sample; answers when the record is complete.
  caf::replies_to<flush_atom>::with<caf::ok_atom>>;

} // namespace troupe
