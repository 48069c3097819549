#include "security/pem.hpp"

#include "security/error.hpp"
#include "security/files.hpp"

#include <openssl/pem.h>

namespace troupe {

namespace fs = std::filesystem;

namespace {

struct openssl_freed {
  void operator()(void* data) const { OPENSSL_free(data); }
};

bio_ptr reader_of(const std::string& text) {
  bio_ptr bio{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
  require_openssl(bio != nullptr, "reading");
  return bio;
}

bio_ptr writer() {
  bio_ptr bio{BIO_new(BIO_s_mem())};
  require_openssl(bio != nullptr, "writing");
  return bio;
}

/// Says what a PEM text holds: "PRIVATE KEY", "" if nothing.
std::string first_label(const std::string& text) {
  const auto bio = reader_of(text);
  char* name = nullptr;
  char* header = nullptr;
  unsigned char* data = nullptr;
  long size = 0;
  if (PEM_read_bio(bio.get(), &name, &header, &data, &size) != 1)
    return "";
  const std::unique_ptr<char, openssl_freed> owned_name{name};
  const std::unique_ptr<char, openssl_freed> owned_header{header};
  const std::unique_ptr<unsigned char, openssl_freed> owned_data{data};
  return name;
}

[[noreturn]] void refuse(const fs::path& path, const std::string& text, std::string_view wanted,
                         std::string_view expected) {
  const auto label = first_label(text);
  ERR_clear_error();
  std::string what;
  if (label.empty())
    what = "the file is not PEM text";
  else if (label.find(wanted) != std::string::npos)
    what = "the " + label + " in the file is damaged";
  else
    what = "the file holds a " + label;
  throw security_error{path.string() + ": " + what + "; expected " + std::string{expected}};
}

/// Instead of asking for a passphrase at the terminal.
int no_passphrase(char*, int, int, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

} // namespace

std::vector<certificate_ptr> read_certificates(const fs::path& path, std::string_view expected) {
  const auto text = read_small_file(path, expected);
  const auto bio = reader_of(text);
  std::vector<certificate_ptr> all;
  for (;;) {
    bool asked = false;
    certificate_ptr next{PEM_read_bio_X509(bio.get(), nullptr, no_passphrase, &asked)};
    if (!next)
      break;
    all.push_back(std::move(next));
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (!all.empty() && !at_end)
    throw security_error{path.string() + ": certificate " + std::to_string(all.size() + 1) +
                         " in the file is damaged; expected " + std::string{expected}};
  if (all.empty())
    refuse(path, text, "CERTIFICATE", expected);
  return all;
}

key_ptr read_key(const fs::path& path, std::string_view expected) {
  const auto text = read_small_file(path, expected);
  const auto bio = reader_of(text);
  bool asked = false;
  key_ptr key{PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, &asked)};
  ERR_clear_error();
  if (asked)
    throw security_error{path.string() + ": a passphrase protects the key; expected one without, " +
                         "in a file that only its owner may read"};
  if (!key)
    refuse(path, text, "PRIVATE KEY", expected);
  return key;
}

std::string to_pem(X509& certificate) {
  const auto bio = writer();
  require_openssl(PEM_write_bio_X509(bio.get(), &certificate) == 1, "writing a certificate");
  return text_of(bio.get());
}

std::string to_pem(EVP_PKEY& key) {
  const auto bio = writer();
  require_openssl(
    PEM_write_bio_PKCS8PrivateKey(bio.get(), &key, nullptr, nullptr, 0, nullptr, nullptr) == 1,
    "writing a key");
  return text_of(bio.get());
}

} // namespace troupe
