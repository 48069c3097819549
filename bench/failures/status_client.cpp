#include "failures/status_client.hpp"

#include "nodes/client/cluster_client.hpp"
#include "nodes/client/cluster_text.hpp"

#include <exception>

namespace troupe::trials {

namespace {

cluster_client_options options_for(const std::string& address, const std::filesystem::path& certs,
                                   const std::string& as) {
  const auto colon = address.rfind(':');
  cluster_client_options options;
  options.at.host = address.substr(0, colon);
  options.at.port = static_cast<std::uint16_t>(std::stoul(address.substr(colon + 1)));
  if (!certs.empty())
    options.credentials = tls_files{certs / (as + ".crt"), certs / (as + ".key"), certs / "ca.crt"};
  return options;
}

} // namespace

status_client::status_client() = default;
status_client::~status_client() = default;

nlohmann::json status_client::ask(const std::string& address, const std::filesystem::path& certs,
                                  const std::string& as) {
  if (address != address_)
    client_.reset();
  const bool was_connected = client_ != nullptr;
  try {
    if (!client_)
      client_ = std::make_unique<cluster_client>(options_for(address, certs, as));
    address_ = address;
    return cluster_json(client_->status());
  } catch (const std::exception&) {
    client_.reset();
  }
  return was_connected ? ask(address, certs, as) : nlohmann::json(nullptr);
}

} // namespace troupe::trials
