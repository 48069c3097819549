#pragma once

#include "nodes/routing/address.hpp"

#include <caf/fwd.hpp>
#include <caf/message.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace troupe {

/// A message in transit between members of two nodes.
struct envelope {
  address to;
  address from;
  std::uint64_t id = 0; ///< CAF's id of a request and its answer; 0: neither
  std::uint8_t shape = 0;
  caf::message content;
};

/// The number of message shapes that travel between nodes.
std::size_t envelope_shapes();

/// Returns the name of the content of messages with that shape.
const char* envelope_shape_name(std::size_t shape);

/// Appends a message to `out`. Returns its shape, or nothing if messages of its type do not travel
/// between nodes.
///
/// Both sides must have the same protocol version: a shape is identified by its index in the list,
/// and no type name is written. CAF writes names with every message, and they are longer than most
/// messages.
std::optional<std::uint8_t> write_envelope(caf::actor_system& system, std::string& out,
                                           const address& to, const address& from, std::uint64_t id,
                                           const caf::type_erased_tuple& content);

/// Reads envelopes one after the other.
class envelope_reader {
public:
  /// `data` must outlive the reader.
  envelope_reader(caf::actor_system& system, const std::string& data);

  /// Returns the next envelope, or nothing at the end. Throws `std::runtime_error` if the bytes are
  /// not in the format of `write_envelope`.
  std::optional<envelope> next();

private:
  caf::actor_system& system_;
  const std::string& data_;
  std::size_t at_ = 0;
};

} // namespace troupe
