#include "security/authority.hpp"

#include "security/error.hpp"
#include "security/make_certificate.hpp"
#include "security/pem.hpp"

#include <algorithm>
#include <array>
#include <openssl/rand.h>

namespace troupe {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_name = 64;

/// Authorities with names of their own can be told from each other.
std::string authority_name() {
  std::array<unsigned char, 4> bytes{};
  require_openssl(RAND_bytes(bytes.data(), bytes.size()) == 1, "drawing a random name");
  std::string name = "Troupe authority ";
  for (const auto b : bytes) {
    name += "0123456789abcdef"[b >> 4];
    name += "0123456789abcdef"[b & 15];
  }
  return name;
}

certificate_files files_in(const fs::path& directory, const std::string& name) {
  return {directory / (name + ".crt"), directory / (name + ".key")};
}

bool is_there(const fs::path& path) {
  return fs::symlink_status(path).type() != fs::file_type::not_found;
}

void write_pair(const certificate_files& files, X509& certificate, EVP_PKEY& key,
                existing what_is_there) {
  write_small_file(files.key, to_pem(key), 0600, what_is_there);
  try {
    write_small_file(files.certificate, to_pem(certificate), 0644, what_is_there);
  } catch (...) {
    std::error_code ignored;
    if (what_is_there == existing::keep)
      fs::remove(files.key, ignored);
    throw;
  }
}

void check_lifetime(const X509& certificate, const fs::path& path, std::chrono::days days,
                    wall_time now) {
  if (days < std::chrono::days{1})
    throw security_error{"a certificate valid for " + std::to_string(days.count()) +
                         " days; expected 1 or more"};
  const auto from = valid_from(certificate);
  const auto until = valid_until(certificate);
  if (now < from)
    throw security_error{path.string() + ": the authority is valid only from " + date_text(from) +
                         "; expected one that is valid now"};
  if (now >= until)
    throw security_error{path.string() + ": the authority expired at " + date_text(until) +
                         "; expected a new one, made by 'troupe certs init' in another directory"};
  const auto left = std::chrono::floor<std::chrono::days>(until - now);
  if (days > left)
    throw security_error{path.string() + ": the authority expires at " + date_text(until) +
                         ", before a certificate of " + std::to_string(days.count()) +
                         " days; expected at most " + std::to_string(left.count()) + " days"};
}

} // namespace

void check_node_name(const std::string& name) {
  const auto is_alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const auto fits = [&](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; };
  if (name.empty() || name.size() > longest_name || !is_alphanumeric(name.front()) ||
      !std::ranges::all_of(name, fits))
    throw security_error{"the name of a node is '" + name +
                         "'; expected letters, digits, '-', '_' and '.', at most 64, a letter or "
                         "digit first"};
  if (name == "ca")
    throw security_error{"the name of a node is 'ca', which is that of the authority's files; "
                         "expected another one"};
}

authority authority::create(const fs::path& directory, wall_time now) {
  make_private_directory(directory);
  auto files = files_in(directory, "ca");
  for (const auto& path : {files.certificate, files.key})
    if (is_there(path))
      throw security_error{path.string() +
                           " exists already and is not overwritten: without it the cluster's "
                           "certificates are useless; expected a directory without an authority"};
  auto key = make_key();
  auto certificate =
    make_authority_certificate(authority_name(), *key, {now - clock_tolerance, now + lifetime});
  write_pair(files, *certificate, *key, existing::keep);
  return {std::move(files), std::move(certificate), std::move(key)};
}

authority authority::load(const fs::path& directory) {
  auto files = files_in(directory, "ca");
  const auto how = ", as 'troupe certs init --dir " + directory.string() + "' makes it";
  auto certificates = read_certificates(files.certificate, "the certificate of an authority" + how);
  auto key = read_key(files.key, "the key of the authority" + how);
  auto& certificate = certificates.front();
  if (X509_check_ca(certificate.get()) == 0)
    throw security_error{files.certificate.string() + ": the certificate of '" +
                         subject_of(*certificate) + "' is not that of an authority; expected one" +
                         how};
  const bool fits = X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  if (!fits)
    throw security_error{files.key.string() + ": the key does not belong to " +
                         files.certificate.string() + "; expected the two that were made together"};
  return {std::move(files), std::move(certificate), std::move(key)};
}

certificate_files authority::issue(const certified_identity& node, std::chrono::days days,
                                   wall_time now, existing what_is_there) const {
  check_node_name(node.name);
  check_roles(node.roles);
  check_lifetime(*certificate_, files_.certificate, days, now);
  auto files = files_in(files_.certificate.parent_path(), node.name);
  if (what_is_there == existing::keep)
    for (const auto& path : {files.certificate, files.key})
      if (is_there(path))
        throw security_error{
          path.string() +
          " exists already and is not overwritten; expected another name, or --force"};
  const auto key = make_key();
  const auto certificate =
    make_node_certificate(node, *key, {now - clock_tolerance, now + days}, *certificate_, *key_);
  write_pair(files, *certificate, *key, what_is_there);
  return files;
}

} // namespace troupe
