#pragma once

#include <string>

namespace troupe {

/// Says, once per line that TLS refuses or that breaks, who was at the other end and why, in the
/// log of the node named so.
///
/// To link this in also mends CAF 0.17.6: it leaves OpenSSL's errors of one connection in the queue
/// of its network thread, where the next look at any other connection finds them and takes that one
/// for broken. One client with a bad certificate would cut all lines of a node.
void log_tls_errors(const std::string& node);

} // namespace troupe
