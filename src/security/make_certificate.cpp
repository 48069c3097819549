#include "security/make_certificate.hpp"

#include <openssl/ec.h>

namespace troupe {

namespace {

constexpr const char* making = "making a certificate";

void require(bool done) {
  require_openssl(done, making);
}

/// RFC 5280, section 4.1.2.2: positive, at most 20 octets.
void set_random_serial(X509& certificate) {
  const number_ptr number{BN_new()};
  require(number && BN_rand(number.get(), 159, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1);
  require(BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(&certificate)) != nullptr);
}

void set_validity(X509& certificate, const validity& period) {
  const auto from = std::chrono::system_clock::to_time_t(period.from);
  const auto until = std::chrono::system_clock::to_time_t(period.until);
  require(ASN1_TIME_set(X509_getm_notBefore(&certificate), from) != nullptr);
  require(ASN1_TIME_set(X509_getm_notAfter(&certificate), until) != nullptr);
}

void add_entry(X509_NAME* name, const char* field, const std::string& value) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(value.data());
  require(X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8, bytes,
                                     static_cast<int>(value.size()), -1, 0) == 1);
}

void add_extension(X509& certificate, X509& issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
  const extension_ptr extension{X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str())};
  require(extension && X509_add_ext(&certificate, extension.get(), -1) == 1);
}

certificate_ptr begin(const std::string& name, EVP_PKEY& key, const validity& period) {
  certificate_ptr certificate{X509_new()};
  require(certificate && X509_set_version(certificate.get(), X509_VERSION_3) == 1);
  set_random_serial(*certificate);
  set_validity(*certificate, period);
  auto* subject = X509_get_subject_name(certificate.get());
  add_entry(subject, "O", "Troupe");
  add_entry(subject, "CN", name);
  require(X509_set_pubkey(certificate.get(), &key) == 1);
  return certificate;
}

void sign(X509& certificate, EVP_PKEY& key) {
  require(X509_sign(&certificate, &key, EVP_sha256()) > 0);
}

} // namespace

key_ptr make_key() {
  key_ptr key{EVP_EC_gen("P-256")};
  require_openssl(key != nullptr, "making a key");
  return key;
}

certificate_ptr make_authority_certificate(const std::string& name, EVP_PKEY& key,
                                           const validity& period) {
  auto made = begin(name, key, period);
  require(X509_set_issuer_name(made.get(), X509_get_subject_name(made.get())) == 1);
  add_extension(*made, *made, NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  add_extension(*made, *made, NID_key_usage, "critical,keyCertSign,cRLSign");
  add_extension(*made, *made, NID_subject_key_identifier, "hash");
  sign(*made, key);
  return made;
}

certificate_ptr make_node_certificate(const certified_identity& node, EVP_PKEY& key,
                                      const validity& period, X509& authority,
                                      EVP_PKEY& authority_key) {
  auto made = begin(node.name, key, period);
  require(X509_set_issuer_name(made.get(), X509_get_subject_name(&authority)) == 1);
  add_extension(*made, authority, NID_basic_constraints, "critical,CA:FALSE");
  add_extension(*made, authority, NID_key_usage, "critical,digitalSignature");
  add_extension(*made, authority, NID_ext_key_usage, "serverAuth,clientAuth");
  add_extension(*made, authority, NID_subject_alt_name, alternative_names(node));
  add_extension(*made, authority, NID_subject_key_identifier, "hash");
  add_extension(*made, authority, NID_authority_key_identifier, "keyid:always");
  sign(*made, authority_key);
  return made;
}

} // namespace troupe
