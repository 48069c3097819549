#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

/// The messages that the two sides of a connection exchange before CAF uses it. The connecting side
/// introduces itself first; the other side answers with its own introduction or with a refusal. All
/// versions of Troupe use this layout:
///
///     "TRPE"  'I' or 'R'  length of the body, 2 bytes, high byte first  body
///
/// The body of an introduction is NAME \0 ROLES, comma-separated \0 INSTANCE; that of a refusal is
/// its reason.
namespace troupe {

struct introduction {
  std::string name;            ///< of the node or the client
  std::set<std::string> roles; ///< of the node; empty: a client
  std::string instance;        ///< CAF's id of the actor system, as CAF writes it

  friend bool operator==(const introduction&, const introduction&) = default;
};

/// The header before the body.
struct introduction_header {
  static constexpr std::size_t size = 7;
  static constexpr std::size_t longest_body = 1024;

  bool refuses = false;
  std::size_t body = 0; ///< bytes
};

std::string write_introduction(const introduction& who);

/// Renders a refusal; a reason that is too long is truncated.
std::string write_refusal(const std::string& why);

/// Reads `introduction_header::size` bytes; returns nothing if they are not a header.
std::optional<introduction_header> read_introduction_header(std::string_view bytes);

/// Reads the body of an introduction; returns nothing if it is malformed.
std::optional<introduction> read_introduction(std::string_view body);

} // namespace troupe
