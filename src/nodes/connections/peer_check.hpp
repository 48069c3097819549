#pragma once

#include "nodes/connections/introduction.hpp"
#include "security/certified_identity.hpp"

#include <optional>
#include <string>

namespace troupe {

/// Returns why the certificate of a node does not allow its name and roles, or an empty text: "the
/// certificate is that of a and not of b".
std::string why_not_certified(const std::string& name, const std::set<std::string>& roles,
                              const certified_identity& certified);

/// Returns why the introduction of another process is not accepted, or an empty text. `own` is this
/// process's introduction, `certificate` that of the other side; null: the connection is not
/// encrypted, and names are not verified.
std::string why_not(const introduction& claim, const introduction& own, const X509* certificate);

} // namespace troupe
