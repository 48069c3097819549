#pragma once

namespace troupe {

/// Handles SIGINT, SIGTERM and SIGHUP from here on. The first signal only sets the result of
/// `caught_signal`; the next SIGINT or SIGTERM ends the process at once, like the default action.
/// SIGHUP, which arrives when a terminal is closed, often twice, counts as SIGTERM. SIGHUP is not
/// handled if it is ignored (nohup), nor after `watch_hangups`.
void watch_signals();

/// Has a write to a pipe that nobody reads fail, so that a command still does what it has to do. A
/// program that this one starts gets the default again, as it would not if the signal were ignored.
void survive_closed_pipes();

/// Returns the number of the first signal since `watch_signals`, that of SIGTERM for a SIGHUP; 0 if
/// there was none.
int caught_signal();

/// Handles SIGHUP from here on: it does not end the process, and is not a signal for
/// `watch_signals`. The two functions may be called in any order.
void watch_hangups();

/// Returns whether SIGHUP has arrived since the last call.
bool take_hangup();

} // namespace troupe
