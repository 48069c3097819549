#include "security/certificate.hpp"

#include "security/pem.hpp"

#include <ctime>

namespace troupe {

namespace {

std::string common_name(const X509_NAME* name) {
  const bio_ptr bio{BIO_new(BIO_s_mem())};
  require_openssl(bio != nullptr, "reading a name");
  const auto at = X509_NAME_get_index_by_NID(name, NID_commonName, -1);
  if (at < 0) {
    X509_NAME_print_ex(bio.get(), name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
  } else {
    const auto* value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at));
    ASN1_STRING_print_ex(bio.get(), value, ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT);
  }
  return text_of(bio.get());
}

wall_time to_wall_time(const ASN1_TIME* time) {
  std::tm parts{};
  require_openssl(ASN1_TIME_to_tm(time, &parts) == 1, "reading the date of a certificate");
  return std::chrono::system_clock::from_time_t(::timegm(&parts));
}

std::string fingerprint_of(const X509& certificate) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  require_openssl(X509_digest(&certificate, EVP_sha256(), digest, &size) == 1, "SHA-256");
  constexpr const char* digits = "0123456789ABCDEF";
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    if (i > 0)
      text += ':';
    text += digits[digest[i] >> 4];
    text += digits[digest[i] & 15];
  }
  return text;
}

} // namespace

std::vector<certificate_details> describe_certificates(const std::filesystem::path& path) {
  std::vector<certificate_details> all;
  for (const auto& c : read_certificates(path, "a certificate in PEM"))
    all.push_back({.name = subject_of(*c),
                   .issuer = issuer_of(*c),
                   .authority = X509_check_ca(c.get()) > 0,
                   .certified = certified_identity_of(*c),
                   .valid_from = valid_from(*c),
                   .valid_until = valid_until(*c),
                   .fingerprint = fingerprint_of(*c)});
  return all;
}

std::string subject_of(const X509& certificate) {
  return common_name(X509_get_subject_name(&certificate));
}

std::string issuer_of(const X509& certificate) {
  return common_name(X509_get_issuer_name(&certificate));
}

wall_time valid_from(const X509& certificate) {
  return to_wall_time(X509_get0_notBefore(&certificate));
}

wall_time valid_until(const X509& certificate) {
  return to_wall_time(X509_get0_notAfter(&certificate));
}

std::string date_text(wall_time time) {
  const auto seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts)};
}

} // namespace troupe
