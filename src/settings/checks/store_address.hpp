#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Addresses of databases for jobs: `postgresql://[USER@]HOST[:PORT]/DATABASE[?OPTION=VALUE&...]`,
/// as libpq defines them.
namespace troupe {

/// Returns whether a text is such an address, or is meant to be one.
bool is_store_address(std::string_view text);

/// Why an address cannot be used: "it is ...; expected ...". Does not quote it.
struct address_fault {
  std::string is;
  std::string expected;
};

/// Returns the fault of an address; nothing: it can be used. Addresses are sent to other nodes and
/// shown to users: an address with a password is refused.
std::optional<address_fault> fault_of_store_address(std::string_view text);

} // namespace troupe
