#pragma once

namespace troupe {

/// Starts supervisors: a process with one thread, which a node has started and which has little
/// memory, so that a fork of it costs little. Reads names of attempt folders, below the present
/// directory, from the socket `requests` (SOCK_SEQPACKET), and starts a supervisor for each.
/// Supervisors write "s NAME" (started) and "e NAME" (ended) to it. Returns when the node has
/// closed its end or is gone; supervisors continue.
///
/// `tied_to`: the id of a process with which all commands end; 0: none.
///
/// If a supervisor is killed, its processes become children of this process, which kills them.
void serve_supervisors(int requests, int tied_to = 0);

} // namespace troupe
