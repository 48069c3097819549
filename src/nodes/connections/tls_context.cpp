#include "nodes/connections/tls_context.hpp"

#include "security/tls_setup.hpp"

namespace troupe {

std::shared_ptr<asio::ssl::context> make_tls_context(const tls_files& files) {
  auto made = std::make_shared<asio::ssl::context>(asio::ssl::context::tls);
  set_up_tls(made->native_handle(), files, TLS1_3_VERSION);
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
