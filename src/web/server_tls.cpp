#include "web/server_tls.hpp"

#include "security/tls_setup.hpp"

namespace troupe {

std::shared_ptr<asio::ssl::context> make_server_tls(const tls_files& files) {
  auto made = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  auto* native = made->native_handle();
  set_up_tls(native, files, TLS1_2_VERSION);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_client_CA_list(native, SSL_load_client_CA_file(files.authority.c_str()));
  made->set_verify_mode(asio::ssl::verify_peer);
  return made;
}

} // namespace troupe
