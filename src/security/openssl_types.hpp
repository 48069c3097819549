#pragma once

#include <memory>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdexcept>
#include <string>

/// Owning pointers for OpenSSL's objects, and its errors as exceptions.
namespace troupe {

template <auto Free>
struct freed_by {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};

using bio_ptr = std::unique_ptr<BIO, freed_by<BIO_free_all>>;
using certificate_ptr = std::unique_ptr<X509, freed_by<X509_free>>;
using extension_ptr = std::unique_ptr<X509_EXTENSION, freed_by<X509_EXTENSION_free>>;
using key_ptr = std::unique_ptr<EVP_PKEY, freed_by<EVP_PKEY_free>>;
using number_ptr = std::unique_ptr<BIGNUM, freed_by<BN_free>>;
using store_ptr = std::unique_ptr<X509_STORE, freed_by<X509_STORE_free>>;
using verification_ptr = std::unique_ptr<X509_STORE_CTX, freed_by<X509_STORE_CTX_free>>;

/// Throws std::runtime_error with `what` and OpenSSL's reason unless `done`. Clears OpenSSL's error
/// queue.
inline void require_openssl(bool done, const char* what) {
  if (done)
    return;
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  throw std::runtime_error{
    std::string{what} + " failed in OpenSSL: " + (reason != nullptr ? reason : "no reason given")};
}

/// Returns the contents of the memory buffer of `bio`.
inline std::string text_of(BIO* bio) {
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

} // namespace troupe
