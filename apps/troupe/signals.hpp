#pragma once

namespace troupe {

/// Takes note of SIGINT, SIGTERM and SIGHUP from here on. The first one only sets what
/// `caught_signal` returns; the next SIGINT or SIGTERM ends the process at once, as if it had never
/// been handled. SIGHUP, which comes when a terminal is closed, often twice, counts as SIGTERM. It
/// is left alone where it is ignored (nohup) and after `watch_hangups`.
void watch_signals();

/// Returns the number of the first signal that came since `watch_signals`, that of SIGTERM for a
/// SIGHUP; 0 if none did.
int caught_signal();

/// Takes note of SIGHUP from here on, which then does not end the process and is no signal for
/// `watch_signals`, whichever is called first.
void watch_hangups();

/// Returns whether SIGHUP has come since the last call.
bool take_hangup();

} // namespace troupe
