#include "nodes/connections/tls_context.hpp"

namespace troupe {

namespace {

constexpr int security_level = 2;

} // namespace

std::shared_ptr<asio::ssl::context> make_tls_context(const tls_files& files) {
  check_tls_files(files, std::chrono::system_clock::now());
  auto made = std::make_shared<asio::ssl::context>(asio::ssl::context::tls);
  auto* native = made->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_3_VERSION);
  SSL_CTX_set_security_level(native, security_level);
  // Sessions are never resumed, so tickets are not needed.
  SSL_CTX_set_num_tickets(native, 0);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
  made->use_certificate_chain_file(files.certificate.string());
  made->use_private_key_file(files.key.string(), asio::ssl::context::pem);
  made->load_verify_file(files.authority.string());
  made->set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
  return made;
}

bool is_tls_error(const asio_error& error) {
  return error.category() == asio::error::get_ssl_category();
}

bool is_tls_alert(const asio_error& error) {
  const auto code = static_cast<unsigned long>(error.value());
  return is_tls_error(error) && ERR_GET_REASON(code) >= SSL_AD_REASON_OFFSET;
}

std::string tls_error_text(const asio_error& error) {
  const auto code = static_cast<unsigned long>(error.value());
  const char* reason = is_tls_error(error) ? ERR_reason_error_string(code) : nullptr;
  return reason != nullptr ? reason : error.message();
}

} // namespace troupe
