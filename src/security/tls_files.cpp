#include "security/tls_files.hpp"

#include "security/error.hpp"
#include "security/pem.hpp"

#include <algorithm>
#include <sys/stat.h>

namespace troupe {

namespace fs = std::filesystem;

namespace {

using certificates = std::vector<certificate_ptr>;

[[noreturn]] void refuse(const fs::path& path, const std::string& what) {
  throw security_error{path.string() + ": " + what};
}

void check_dates(const fs::path& path, const X509& certificate, const std::string& who,
                 const std::string& remedy, wall_time now) {
  const auto from = valid_from(certificate);
  const auto until = valid_until(certificate);
  if (now < from)
    refuse(path, who + " is valid only from " + date_text(from) +
                   "; expected one that is valid now, " + date_text(now) + ": is the clock right?");
  if (now >= until)
    refuse(path, who + " expired at " + date_text(until) + "; expected " + remedy);
}

void check_certificate(const fs::path& path, X509& certificate, wall_time now) {
  if (X509_check_ca(&certificate) == 1)
    refuse(path, "'" + subject_of(certificate) +
                   "' is an authority; expected the certificate of a node, as 'troupe certs issue "
                   "NODE' makes it");
  for (const auto purpose : {X509_PURPOSE_SSL_CLIENT, X509_PURPOSE_SSL_SERVER})
    if (X509_check_purpose(&certificate, purpose, 0) != 1)
      refuse(path, "the certificate is not made for both ends of a connection; expected the "
                   "extended key usages clientAuth and serverAuth");
  check_dates(path, certificate, "the certificate", "a new one, made by 'troupe certs issue NODE'",
              now);
  if (!certified_identity_of(certificate))
    refuse(path, "the certificate names no node and no roles; expected a new one, made by 'troupe "
                 "certs issue NODE --roles ROLES', which has the URI troupe://node/NODE");
}

void check_key(const tls_files& files, X509& certificate, EVP_PKEY& key) {
  const bool fits = X509_check_private_key(&certificate, &key) == 1;
  ERR_clear_error();
  if (!fits)
    refuse(files.key, "the key does not belong to the certificate in " +
                        files.certificate.string() + "; expected the two that were made together");
}

void check_authorities(const fs::path& path, const certificates& authorities) {
  const auto is_authority = [](const auto& c) { return X509_check_ca(c.get()) > 0; };
  if (std::ranges::none_of(authorities, is_authority))
    refuse(path, "'" + subject_of(*authorities.front()) +
                   "' is not an authority; expected the certificate of the one that signed the "
                   "nodes, such as ca.crt");
}

/// Explains why the chain was refused.
[[noreturn]] void explain(const tls_files& files, const certificates& authorities,
                          const certificates& chain, X509_STORE_CTX& verification, wall_time now) {
  const auto error = X509_STORE_CTX_get_error(&verification);
  const auto* culprit = X509_STORE_CTX_get_current_cert(&verification);
  const auto is_culprit = [&](const auto& c) { return culprit && X509_cmp(c.get(), culprit) == 0; };
  const bool is_trusted = std::ranges::any_of(authorities, is_culprit);
  const auto& path = is_trusted ? files.authority : files.certificate;
  if (error == X509_V_ERR_CERT_HAS_EXPIRED || error == X509_V_ERR_CERT_NOT_YET_VALID)
    check_dates(path, *culprit, "the authority '" + subject_of(*culprit) + "'",
                "a new one, made by 'troupe certs init', and new certificates from it", now);
  switch (error) {
  case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
  case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
  case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
  case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
  case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
  case X509_V_ERR_CERT_SIGNATURE_FAILURE:
    refuse(files.certificate, "the certificate is signed by '" + issuer_of(*chain.front()) +
                                "', which is not in " + files.authority.string() +
                                "; expected one signed by '" + subject_of(*authorities.front()) +
                                "'");
  default:
    refuse(path, std::string{"the certificate is refused: "} +
                   X509_verify_cert_error_string(error) +
                   "; expected one as 'troupe certs issue NODE' makes it");
  }
}

/// Verifies the chain from the node's certificate to an authority; fills in the identity's
/// authority and expiry.
void verify(const tls_files& files, const certificates& authorities, const certificates& chain,
            wall_time now, tls_identity& identity) {
  const store_ptr store{X509_STORE_new()};
  require_openssl(store != nullptr, "verifying");
  for (const auto& c : authorities)
    require_openssl(X509_STORE_add_cert(store.get(), c.get()) == 1, "verifying");
  const std::unique_ptr<STACK_OF(X509), decltype([](STACK_OF(X509) * s) { sk_X509_free(s); })>
    intermediate{sk_X509_new_null()};
  for (std::size_t i = 1; i < chain.size(); ++i)
    require_openssl(sk_X509_push(intermediate.get(), chain[i].get()) > 0, "verifying");
  const verification_ptr verification{X509_STORE_CTX_new()};
  require_openssl(verification && X509_STORE_CTX_init(verification.get(), store.get(),
                                                      chain.front().get(), intermediate.get()) == 1,
                  "verifying");
  auto* parameters = X509_STORE_CTX_get0_param(verification.get());
  X509_VERIFY_PARAM_set_time(parameters, std::chrono::system_clock::to_time_t(now));
  X509_VERIFY_PARAM_set_auth_level(parameters, tls_security_level);
  X509_STORE_CTX_set_purpose(verification.get(), X509_PURPOSE_SSL_SERVER);
  const bool is_valid = X509_verify_cert(verification.get()) == 1;
  ERR_clear_error();
  if (!is_valid)
    explain(files, authorities, chain, *verification, now);
  auto* verified = X509_STORE_CTX_get0_chain(verification.get());
  for (int i = 0; i < sk_X509_num(verified); ++i) {
    const auto& certificate = *sk_X509_value(verified, i);
    identity.valid_until = std::min(identity.valid_until, valid_until(certificate));
    identity.authority = subject_of(certificate);
  }
}

std::vector<std::string> warnings_of(const tls_files& files, wall_time until, wall_time now) {
  std::vector<std::string> warnings;
  if (until - now < expiry_warning) {
    const auto left = std::chrono::floor<std::chrono::days>(until - now).count();
    warnings.push_back(files.certificate.string() + ": the certificate expires at " +
                       date_text(until) + ", in " + std::to_string(left) +
                       (left == 1 ? " day" : " days"));
  }
  struct stat status {};
  if (::stat(files.key.c_str(), &status) == 0 && (status.st_mode & 077) != 0)
    warnings.push_back(files.key.string() + ": others than its owner may use the key; expected " +
                       "permissions 0600");
  return warnings;
}

} // namespace

tls_identity check_tls_files(const tls_files& files, wall_time now) {
  const auto chain = read_certificates(
    files.certificate, "the certificate of a node in PEM, as 'troupe certs issue NODE' makes it");
  const auto key =
    read_key(files.key, "the private key of the node in PEM, as 'troupe certs issue NODE' makes "
                        "it");
  const auto authorities =
    read_certificates(files.authority, "the certificate of the authority in PEM, such as ca.crt");
  auto& own = *chain.front();
  check_certificate(files.certificate, own, now);
  check_key(files, own, *key);
  check_authorities(files.authority, authorities);
  tls_identity identity{*certified_identity_of(own), {}, wall_time::max(), {}};
  verify(files, authorities, chain, now, identity);
  identity.warnings = warnings_of(files, identity.valid_until, now);
  return identity;
}

} // namespace troupe
