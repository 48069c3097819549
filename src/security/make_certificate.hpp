#pragma once

#include "security/certificate.hpp"
#include "security/certified_identity.hpp"
#include "security/openssl_types.hpp"

#include <string>

/// X.509 version 3 certificates (RFC 5280).
namespace troupe {

struct validity {
  wall_time from;
  wall_time until;
};

/// Creates a key on the curve P-256.
key_ptr make_key();

/// Creates the self-signed certificate of an authority that may sign nodes but no further
/// authorities.
certificate_ptr make_authority_certificate(const std::string& name, EVP_PKEY& key,
                                           const validity& period);

/// Creates the certificate of a node or a client, for both ends of a connection, signed by
/// `authority`.
certificate_ptr make_node_certificate(const certified_identity& node, EVP_PKEY& key,
                                      const validity& period, X509& authority,
                                      EVP_PKEY& authority_key);

} // namespace troupe
