#pragma once

#include <chrono>
#include <string>

namespace troupe {

/// Looks after the TLS lines of this process, in the log of the node named so, with one line for
/// each that ends badly: one that TLS refuses or that breaks, one whose other side has left before
/// it had shown a certificate, one that announces a message that is too long (which is closed
/// before CAF allocates it), and one that is silent (see `close_silent_lines`).
///
/// Linking this also fixes a defect of CAF 0.17.6: it leaves OpenSSL's errors of one connection in
/// the queue of its network thread, where the next look at any other connection finds them and
/// takes that one for broken. One client with a bad certificate would cut all lines of a node.
void watch_tls_lines(const std::string& node);

/// Closes every connection that a peer has opened to this process at least `patience` ago and on
/// which nothing has come since that CAF could understand: CAF would keep it for ever. To be called
/// now and then, from any thread.
void close_silent_lines(std::chrono::milliseconds patience);

} // namespace troupe
