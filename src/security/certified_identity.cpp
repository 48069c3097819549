#include "security/certified_identity.hpp"

#include "security/error.hpp"

#include <algorithm>
#include <string_view>

namespace troupe {

namespace {

constexpr std::string_view node_uri = "troupe://node/";
constexpr std::string_view role_uri = "troupe://role/";

using names_ptr = std::unique_ptr<GENERAL_NAMES, freed_by<GENERAL_NAMES_free>>;

} // namespace

std::string alternative_names(const certified_identity& who) {
  auto text = "DNS:" + who.name + ",URI:" + std::string{node_uri} + who.name;
  for (const auto& role : who.roles)
    text += ",URI:" + std::string{role_uri} + role;
  return text;
}

std::optional<certified_identity> certified_identity_of(const X509& certificate) {
  const names_ptr names{static_cast<GENERAL_NAMES*>(
    X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr))};
  ERR_clear_error();
  certified_identity who;
  int nodes = 0;
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const auto* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type != GEN_URI)
      continue;
    const auto* value = name->d.uniformResourceIdentifier;
    const std::string_view uri{reinterpret_cast<const char*>(ASN1_STRING_get0_data(value)),
                               static_cast<std::size_t>(ASN1_STRING_length(value))};
    if (uri.starts_with(node_uri)) {
      who.name = uri.substr(node_uri.size());
      ++nodes;
    } else if (uri.starts_with(role_uri)) {
      who.roles.emplace(uri.substr(role_uri.size()));
    }
  }
  return nodes == 1 ? std::optional{who} : std::nullopt;
}

std::string roles_text(const std::set<std::string>& roles) {
  std::string text;
  for (const auto& role : roles)
    text += (text.empty() ? "" : ", ") + role;
  return text.empty() ? "none" : text;
}

std::string known_roles_text() {
  std::string text;
  for (std::size_t i = 0; i < role_names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < role_names.size() ? ", " : " or ") + std::string{role_names[i]};
  return text;
}

void check_roles(const std::set<std::string>& roles) {
  for (const auto& role : roles)
    if (std::ranges::find(role_names, role) == role_names.end())
      throw security_error{"the role '" + role + "' is unknown; expected " + known_roles_text()};
}

} // namespace troupe
