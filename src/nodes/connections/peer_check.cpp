#include "nodes/connections/peer_check.hpp"

#include "report/text/printable.hpp"
#include "security/authority.hpp"
#include "security/error.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr std::size_t longest_shown = 256;

std::string quoted(const std::string& text) {
  return printable(text, longest_shown);
}

} // namespace

std::string why_not_certified(const std::string& name, const std::set<std::string>& roles,
                              const certified_identity& certified) {
  if (name != certified.name)
    return "the certificate is that of " + quoted(certified.name) + " and not of " + quoted(name);
  std::set<std::string> missing;
  std::ranges::set_difference(roles, certified.roles, std::inserter(missing, missing.end()));
  if (missing.empty())
    return {};
  return "the certificate of " + quoted(name) + " was not issued for " +
         quoted(roles_text(missing)) + " (roles: " + quoted(roles_text(certified.roles)) +
         "); expected a new one, made by 'troupe certs issue " + quoted(name) + " --roles ROLES'";
}

std::string why_not(const introduction& claim, const introduction& own, const X509* certificate) {
  try {
    check_node_name(claim.name);
    check_roles(claim.roles);
  } catch (const security_error& e) {
    return printable(e.what(), 2 * longest_shown);
  }
  if (claim.instance.size() != own.instance.size())
    return "the id of its instance is malformed";
  if (claim.instance == own.instance)
    return "it has the id of this process";
  if (certificate == nullptr)
    return {};
  const auto certified = certified_identity_of(*certificate);
  if (!certified)
    return "its certificate names no node and no roles; expected a new one, made by 'troupe certs "
           "issue NODE --roles ROLES'";
  return why_not_certified(claim.name, claim.roles, *certified);
}

} // namespace troupe
