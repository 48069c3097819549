#pragma once

#include <string>
#include <string_view>

namespace troupe::test {

/// Rewrites the text of a message as CAF prints it, "(sync_round(1))", with the names of the
/// fields: "sync_round number 1". What differs from run to run, the addresses of actors, is left
/// out, and with it the rest of the message.
std::string readable(std::string_view message);

/// Returns `text` with blanks up to `width`, at least one.
std::string padded(std::string text, std::size_t width);

} // namespace troupe::test
