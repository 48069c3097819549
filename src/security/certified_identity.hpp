#pragma once

#include "security/openssl_types.hpp"

#include <array>
#include <optional>
#include <set>
#include <string>

namespace troupe {

/// The roles that a certificate can be issued for.
inline constexpr std::array role_names{"master",  "owner",    "scheduler",
                                       "machine", "workload", "api"};

/// The identity that an authority certifies. The certificate has it in its subject alternative
/// names (RFC 5280, section 4.2.1.6): one URI `troupe://node/NAME`, and one URI
/// `troupe://role/ROLE` for each role.
struct certified_identity {
  std::string name;              ///< of the node or the client
  std::set<std::string> roles{}; ///< roles that the node may have; none: a client's certificate
};

/// Renders the value of the extension subjectAltName: "DNS:a,URI:troupe://node/a,...".
std::string alternative_names(const certified_identity& who);

/// Reads the identity of a certificate. Returns nothing if the certificate names no node or several
/// nodes; this version of Troupe did not issue such a certificate.
std::optional<certified_identity> certified_identity_of(const X509& certificate);

/// Renders "master, owner"; "none" for no role.
std::string roles_text(const std::set<std::string>& roles);

/// Renders the roles that there are: "master, owner, ... or api".
std::string known_roles_text();

/// Throws security_error unless each of `roles` is one of `role_names`.
void check_roles(const std::set<std::string>& roles);

} // namespace troupe
