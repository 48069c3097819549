#pragma once

namespace troupe {

/// Takes note of SIGINT and SIGTERM from here on. The first one only sets what `caught_signal`
/// returns; the next one ends the process at once, as if it had never been handled.
void watch_signals();

/// Returns the number of the first signal that came since `watch_signals`, 0 if none did.
int caught_signal();

/// Takes note of SIGHUP from here on, which then does not end the process.
void watch_hangups();

/// Returns whether SIGHUP has come since the last call.
bool take_hangup();

} // namespace troupe
