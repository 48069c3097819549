#include "nodes/registry/identity_text.hpp"

#include "report/text/printable.hpp"
#include "security/authority.hpp"
#include "security/error.hpp"

#include <caf/all.hpp>
#include <caf/serializer_impl.hpp>

#include <algorithm>

namespace troupe {

std::string write_identity(caf::actor_system& system, const node_identity& who) {
  std::string body;
  caf::serializer_impl<std::string> sink{system, body};
  auto copy = who;
  if (sink(copy))
    return {};
  return body;
}

std::optional<node_identity> read_identity(caf::actor_system& system, const std::string& body) {
  node_identity who;
  caf::binary_deserializer source{system, body.data(), body.size()};
  if (source(who) || source.remaining() > 0)
    return std::nullopt;
  return who;
}

bool is_host(const std::string& text) {
  constexpr std::size_t longest_host = 253;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view{".-_:%"}.find(c) != std::string_view::npos;
  };
  return !text.empty() && text.size() <= longest_host && text.front() != '-' &&
         std::ranges::all_of(text, fits);
}

std::string why_no_node(const node_identity& who) {
  constexpr std::size_t longest_text = 256;
  try {
    check_node_name(who.name);
  } catch (const security_error& e) {
    return printable(e.what(), 2 * longest_text);
  }
  if (!is_host(who.host))
    return "the host of a node is '" + printable(who.host, longest_text) +
           "'; expected a name or an address";
  for (const auto& [key, value] : who.machine.attributes)
    if (key.size() > longest_text || value.size() > longest_text || printable(key) != key ||
        printable(value) != value)
      return "an attribute is '" + printable(key, longest_text) + "' = '" +
             printable(value, longest_text) + "'; expected text of at most 256 bytes";
  return "";
}

} // namespace troupe
