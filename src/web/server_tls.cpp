#include "web/server_tls.hpp"

namespace troupe {

namespace {

constexpr int web_security_level = 2;

} // namespace

std::shared_ptr<asio::ssl::context> make_server_tls(const tls_files& files) {
  check_tls_files(files, std::chrono::system_clock::now());
  auto made = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  auto* native = made->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_security_level(native, web_security_level);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // Sessions are never resumed: a client certificate is verified on each connection.
  SSL_CTX_set_num_tickets(native, 0);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
  made->use_certificate_chain_file(files.certificate.string());
  made->use_private_key_file(files.key.string(), asio::ssl::context::pem);
  made->load_verify_file(files.authority.string());
  SSL_CTX_set_client_CA_list(native, SSL_load_client_CA_file(files.authority.c_str()));
  made->set_verify_mode(asio::ssl::verify_peer);
  return made;
}

} // namespace troupe
