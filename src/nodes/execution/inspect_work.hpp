#pragma once

#include "actors/protocol/inspect_samples.hpp"
#include "jobs/protocol/work_exchange.hpp"

#include <caf/type_id.hpp>

#include <cstdint>
#include <string>

/// How the messages between machines' nodes and the job service are serialized.
namespace troupe {

/// Asks a node for the output of a command.
struct output_request {
  std::string node; ///< on which the command runs or ran
  attempt_key which;
  bool errors = false; ///< its standard error, not its standard output
  std::uint64_t offset = 0;
  std::uint32_t limit = 0; ///< bytes
};

/// What a command has written.
struct output_reply {
  bool known = false;       ///< the node has the attempt's output
  std::uint64_t offset = 0; ///< of the first byte; earlier ones may have been dropped
  std::uint64_t size = 0;   ///< all that was written so far
  std::string bytes;
};

template <class I>
typename I::result_type inspect(I& f, attempt_key& x) {
  return inspect_fields(f, "attempt_key", x.job, x.task, x.attempt);
}

template <class I>
typename I::result_type inspect(I& f, attempt_end& x) {
  return inspect_fields(f, "attempt_end", x.which, x.reason, x.exit_code, x.signal, x.core, x.oom,
                        x.started_ns, x.ended_ns, x.user_us, x.system_us, x.max_rss_bytes,
                        x.out_bytes, x.err_bytes, x.detail);
}

template <class I>
typename I::result_type inspect(I& f, work_report& x) {
  return inspect_fields(f, "work_report", x.node, x.boot, x.machine_state, x.wants, x.running,
                        x.ended);
}

template <class I>
typename I::result_type inspect(I& f, start_permit& x) {
  return inspect_fields(f, "start_permit", x.as, x.verdict, x.which, x.spec);
}

template <class I>
typename I::result_type inspect(I& f, stop_order& x) {
  return inspect_fields(f, "stop_order", x.which, x.reason, x.grace_ms);
}

template <class I>
typename I::result_type inspect(I& f, work_answer& x) {
  return inspect_fields(f, "work_answer", x.permits, x.seen, x.renewed, x.stops);
}

template <class I>
typename I::result_type inspect(I& f, output_request& x) {
  return inspect_fields(f, "output_request", x.node, x.which, x.errors, x.offset, x.limit);
}

template <class I>
typename I::result_type inspect(I& f, output_reply& x) {
  return inspect_fields(f, "output_reply", x.known, x.offset, x.size, x.bytes);
}

#define TROUPE_WORK_TYPES(X, Link)                                                                 \
  X(Link, attempt_key);                                                                            \
  X(Link, attempt_end);                                                                            \
  X(Link, work_report);                                                                            \
  X(Link, start_permit);                                                                           \
  X(Link, stop_order);                                                                             \
  X(Link, work_answer);                                                                            \
  X(Link, output_request);                                                                         \
  X(Link, output_reply);

TROUPE_WORK_TYPES(TROUPE_INSPECTION, extern)

} // namespace troupe
