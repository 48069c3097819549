#include "security/tls_setup.hpp"

#include "security/error.hpp"

#include <chrono>
#include <openssl/ssl.h>

namespace troupe {

void set_up_tls(SSL_CTX* context, const tls_files& files, int least_version) {
  check_tls_files(files, std::chrono::system_clock::now());
  SSL_CTX_set_min_proto_version(context, least_version);
  SSL_CTX_set_security_level(context, tls_security_level);
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  // The files may have changed since they were checked.
  if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1)
    throw security_error("cannot use the certificate " + files.certificate.string());
  if (SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1)
    throw security_error("cannot use the private key " + files.key.string());
  if (SSL_CTX_load_verify_file(context, files.authority.c_str()) != 1)
    throw security_error("cannot use the authority's certificate " + files.authority.string());
}

} // namespace troupe
