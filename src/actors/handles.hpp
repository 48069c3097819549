#pragma once

#include "actors/messages.hpp"
#include "model/run_set.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

/// Every typed interface of the protocol: what each kind of actor can be told and what it does
/// then. INTERNAL marks what an actor only sends to itself.
namespace troupe {

// What machines are to owners.
using launching_actor = caf::typed_actor<
  // Starts a task on the machine's executor, or ends one before its time.
  caf::reacts_to<machine_order>>;

using machine_actor = launching_actor::extend<
  // Notes the end of a run on its executor, and tells the owner; where failures are watched.
  caf::reacts_to<ended_atom, run_number, task_end>,
  // Goes on for another lease, obeys a new owner, or goes on as a new life of itself.
  caf::reacts_to<owner_word>,
  // Shows a sign of life.
  caf::reacts_to<beat_atom>,
  // Finishes what it runs, and wants nothing more.
  caf::reacts_to<leave_atom>>;

// A machine with a queue: tasks wait there, and reservations, for which it asks for a task when
// their turn has come (Sparrow).
using queueing_machine_actor = launching_actor::extend<
  // Queues a reservation or a task.
  caf::reacts_to<queue_entry>,
  // Starts the task that it has asked for, or goes on with its queue.
  caf::reacts_to<task_assignment>,
  // Frees what a task held that has ended, and goes on with its queue.
  caf::reacts_to<ended_atom, task_id>,
  // Drops the reservations of a job.
  caf::reacts_to<cancellation>,
  // Tells the scheduler how long its queue is, with a probe_answer.
  caf::reacts_to<queue_probe>,
  // Hands over what waits behind a long task, to the machine with this number.
  caf::reacts_to<steal_atom, machine_id>,
  // Takes that in.
  caf::reacts_to<stolen_entries>,
  // Tells what runs.
  caf::replies_to<status_atom>::with<machine_status>>;

using owner_actor = caf::typed_actor<
  // Learns how to reach the schedulers.
  caf::reacts_to<peers>,
  // Grants or refuses each placement, launches the granted ones, answers with a commit_reply.
  caf::reacts_to<commit_request>,
  // Sends each scheduler whose turn it is the snapshots of its round.
  caf::reacts_to<sync_round>,
  // Books the ends and frees the resources; the schedulers hear of it with the next report.
  caf::reacts_to<task_ends>,
  // Forgets the reports that the scheduler has seen.
  caf::reacts_to<report_seen>,
  // Forgets the reports that the allocator has seen.
  caf::reacts_to<capacity_seen>,
  // Takes a machine out; its tasks are reported lost.
  caf::reacts_to<gone_atom, machine_id>,
  // Takes a machine in or out, or changes what it has; tasks that do not fit any more are killed
  // and reported lost.
  caf::reacts_to<machine_capacity>,
  // INTERNAL: sends the reports that are due.
  caf::reacts_to<report_atom>,
  // INTERNAL: sends reports again that nobody has seen.
  caf::reacts_to<resend_atom>,
  // INTERNAL: releases what schedulers hold that have fallen silent.
  caf::reacts_to<wake_atom>,
  // Tells what was counted since the last time.
  caf::replies_to<sample_atom>::with<owner_status>,
  // The same, after checking the books of every machine.
  caf::replies_to<flush_atom>::with<owner_status>>;

// What every scheduler is to workloads and the recorder, whatever its protocol with machines.
using scheduler_actor = caf::typed_actor<
  // Learns how to reach the others, and begins.
  caf::reacts_to<peers>,
  // Queues the jobs' tasks.
  caf::reacts_to<submission>,
  // Tells what was counted since the last time.
  caf::replies_to<sample_atom>::with<scheduler_status>>;

// A scheduler that places tasks on a view and commits to partition owners.
using placing_scheduler_actor = scheduler_actor::extend<
  // Books an owner's answer: what was refused is queued again.
  caf::reacts_to<commit_reply>,
  // Refreshes partitions of the view.
  caf::reacts_to<sync_update>,
  // Books the ends of tasks.
  caf::reacts_to<task_report>,
  // Adds what is offered to the view, and answers when nothing more can be placed on it.
  caf::reacts_to<resource_offer>,
  // Answers the offer once more if it was answered, or at once if it is taken back.
  caf::reacts_to<offer_recall>,
  // Takes another policy from the next decision on.
  caf::reacts_to<policy_choice>,
  // INTERNAL: a decision has taken its time: commits it.
  caf::reacts_to<decided_atom>,
  // INTERNAL: decides again: a retry is due.
  caf::reacts_to<wake_atom>,
  // INTERNAL: sends commits again that nobody has answered.
  caf::reacts_to<resend_atom>>;

// A scheduler that probes machines and hands out tasks when they ask for them (Sparrow). Messages
// between it and machines are not repeated: what one loses waits where it is.
using sparrow_scheduler_actor = scheduler_actor::extend<
  // Answers with a task_assignment.
  caf::reacts_to<get_task_request>,
  // Notes how long a queue is; sends tasks once all answers of the round are there.
  caf::reacts_to<probe_answer>,
  // Books starts and ends of tasks.
  caf::reacts_to<task_news>,
  // Runs elsewhere what was on a machine that is gone.
  caf::reacts_to<gone_atom, machine_id>,
  // INTERNAL: a decision has taken its time: probes, reserves or sends.
  caf::reacts_to<decided_atom>>;

using allocator_actor = caf::typed_actor<
  // Learns how to reach owners and schedulers, and begins to offer.
  caf::reacts_to<peers>,
  // Takes back what the framework has not used of its offers.
  caf::reacts_to<offer_answer>,
  // Books what has become free, and which machines left or returned.
  caf::reacts_to<capacity_report>,
  // INTERNAL: offers what is free.
  caf::reacts_to<round_atom>,
  // INTERNAL: asks after offers without an answer, and asks back those that have timed out.
  caf::reacts_to<resend_atom>,
  // Tells what was counted since the last time.
  caf::replies_to<sample_atom>::with<allocator_status>>;

using node_actor = caf::typed_actor<
  // Learns how to reach the owners, and those schedulers that launch tasks without them.
  caf::reacts_to<peers>,
  // Looks again when the next task ends: one that ends earlier has been started.
  caf::reacts_to<wake_atom>,
  // INTERNAL: reports the ends that are due to their owners.
  caf::reacts_to<due_atom>,
  // INTERNAL: tells schedulers the news of the tasks that they have launched without an owner.
  caf::reacts_to<report_atom>,
  // Tells what was counted since the start.
  caf::replies_to<sample_atom>::with<node_status>>;

using workload_actor = caf::typed_actor<
  // Learns how to reach the schedulers of its group, and begins.
  caf::reacts_to<peers>,
  // INTERNAL: submits the jobs that are due.
  caf::reacts_to<due_atom>,
  // Tells what was submitted since the start.
  caf::replies_to<sample_atom>::with<workload_status>,
  // The same, and submits nothing from then on.
  caf::replies_to<flush_atom>::with<workload_status>>;

using churn_actor = caf::typed_actor<
  // Learns how to reach the owners, and begins.
  caf::reacts_to<peers>,
  // INTERNAL: tells owners of the changes that are due.
  caf::reacts_to<due_atom>>;

using master_actor = caf::typed_actor<
  // Learns how to reach the owners, and begins the sync rounds.
  caf::reacts_to<peers>,
  // Takes a member in; it leaves when it dies or says so.
  caf::reacts_to<join_atom, member, caf::strong_actor_ptr>,
  // Lets a member go; where failures are watched, has another one take its place.
  caf::reacts_to<gone_atom, member>,
  // INTERNAL: starts a round.
  caf::reacts_to<round_atom>,
  // Tells who owns what.
  caf::replies_to<map_atom>::with<partition_map>,
  // Tells who is there.
  caf::replies_to<status_atom>::with<cluster_status>>;

// What follows is for clusters in which things fail.

// What a machine is to its node.
using task_host_actor = caf::typed_actor<
  // Notes the end of a run on its executor.
  caf::reacts_to<ended_atom, run_number, task_end>>;

using guarded_owner_actor = owner_actor::extend<
  // INTERNAL: shows a sign of life, and looks for those who do not.
  caf::reacts_to<beat_atom>,
  // Notes when the master has heard of it last.
  caf::reacts_to<beat_answer>,
  // Learns who serves as what now; quits if another one is what it was.
  caf::reacts_to<roster>,
  // Books a machine's sign of life and what it tells; answers with an owner_word.
  caf::reacts_to<machine_beat>,
  // Tells another life of the allocator what there is, and grants on its offers only.
  caf::reacts_to<capacity_call>,
  // Tells what was counted since what the recorder has heard last.
  caf::replies_to<sample_request>::with<owner_status>>;

using guarded_allocator_actor = allocator_actor::extend<
  // INTERNAL: shows a sign of life, and asks owners what there is.
  caf::reacts_to<beat_atom>,
  // Notes that the master lives.
  caf::reacts_to<beat_answer>,
  // Begins another life of its own where owners or schedulers have.
  caf::reacts_to<roster>,
  // Offers what the owner has from now on.
  caf::reacts_to<capacity_statement>,
  // Tells what was counted since what the recorder has heard last.
  caf::replies_to<sample_request>::with<allocator_status>>;

using guarded_scheduler_actor = placing_scheduler_actor::extend<
  // INTERNAL: shows a sign of life.
  caf::reacts_to<beat_atom>,
  // Notes when the master has heard of it last.
  caf::reacts_to<beat_answer>,
  // Learns who serves as what now; quits if another one is what it was.
  caf::reacts_to<roster>,
  // Corrects its books by what an owner knows; answers with a report_seen.
  caf::reacts_to<owner_statement>,
  // Queues jobs, those that an earlier life has left among them.
  caf::reacts_to<job_delivery>,
  // Forgets what a job store has noted.
  caf::reacts_to<store_seen>,
  // Tells what was counted since what the recorder has heard last.
  caf::replies_to<sample_request>::with<scheduler_status>>;

// A machine with a queue.
using guarded_queue_actor = caf::typed_actor<
  // Carries out what a scheduler orders, goes on for another lease, obeys a new life of it, or
  // drops all that it has of it; answers with a queue_beat where that is needed.
  caf::reacts_to<queue_word>,
  // Goes on for another lease, or has all machines of its process do so.
  caf::reacts_to<queue_lease>,
  // Notes the end of a run on its executor, and tells the scheduler.
  caf::reacts_to<ended_atom, run_number, task_end>,
  // INTERNAL: repeats what is overdue, and shows signs of life to those schedulers of whom it has
  // something.
  caf::reacts_to<beat_atom>,
  // INTERNAL: stops what a lease has run out for.
  caf::reacts_to<wake_atom>,
  // Finishes what it has, and wants nothing more.
  caf::reacts_to<leave_atom>,
  // Tells what runs.
  caf::replies_to<status_atom>::with<machine_status>>;

// A scheduler that probes machines.
using guarded_sparrow_actor = scheduler_actor::extend<
  // Books what a machine tells, and answers with a queue_word.
  caf::reacts_to<queue_beat>,
  // Notes that machines are alive; answers with a queue_lease.
  caf::reacts_to<queue_pulse>,
  // INTERNAL: a decision has taken its time: probes, reserves or sends.
  caf::reacts_to<decided_atom>,
  // INTERNAL: shows a sign of life, looks for silent machines, repeats what may be lost.
  caf::reacts_to<beat_atom>,
  // Notes when the master has heard of it last.
  caf::reacts_to<beat_answer>,
  // Learns who serves as what now; quits if another one is what it was.
  caf::reacts_to<roster>,
  // Queues jobs, those that an earlier life has left among them.
  caf::reacts_to<job_delivery>,
  // Forgets what a job store has noted.
  caf::reacts_to<store_seen>,
  // Tells what was counted since what the recorder has heard last.
  caf::replies_to<sample_request>::with<scheduler_status>>;

// Schedulers as the recorder sees them in runs with failures.
using sampled_scheduler_actor = caf::typed_actor<
  // Tells what was counted since what the recorder has heard last.
  caf::replies_to<sample_request>::with<scheduler_status>>;

// What schedulers are to job stores.
using job_taker_actor = caf::typed_actor<
  // Queues jobs, those that an earlier life has left among them.
  caf::reacts_to<job_delivery>,
  // Forgets what a job store has noted.
  caf::reacts_to<store_seen>>;

using guarded_workload_actor = workload_actor::extend<
  // INTERNAL: shows a sign of life, and delivers jobs again that nobody has confirmed.
  caf::reacts_to<beat_atom>,
  // Notes that the master lives.
  caf::reacts_to<beat_answer>,
  // Hands unfinished jobs to the new lives of their schedulers.
  caf::reacts_to<roster>,
  // Notes what is over; answers with a store_seen.
  caf::reacts_to<store_report>>;

// What members are to the master.
using follower_actor = caf::typed_actor<
  // Notes when the master has heard of it last.
  caf::reacts_to<beat_answer>,
  // Learns who serves as what now.
  caf::reacts_to<roster>>;

using guarded_master_actor = master_actor::extend<
  // INTERNAL: looks for members that are silent, and promotes others in their place.
  caf::reacts_to<beat_atom>,
  // Notes a sign of life; answers with a beat_answer, and the roster if there is another one.
  caf::reacts_to<member_beat>>;

// One who waits to become an owner or a scheduler.
using candidate_actor = caf::typed_actor<
  // INTERNAL: shows a sign of life.
  caf::reacts_to<beat_atom>,
  // Notes that the master lives.
  caf::reacts_to<beat_answer>,
  // Starts a member on its side.
  caf::reacts_to<promotion>>;

using recorder_actor = caf::typed_actor<
  // INTERNAL: asks those who have counted before the beginning.
  caf::reacts_to<start_atom>,
  // INTERNAL: asks everyone for what was counted in the interval that ends now.
  caf::reacts_to<due_atom>,
  // Asks everyone one last time; answers when the record is complete.
  caf::replies_to<flush_atom>::with<caf::ok_atom>>;

} // namespace troupe
