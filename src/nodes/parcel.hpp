#pragma once

#include "nodes/address.hpp"

#include <caf/fwd.hpp>
#include <caf/message.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace troupe {

/// A message on its way between members of two nodes.
struct parcel {
  address to;
  address from;
  std::uint64_t id = 0; ///< what CAF knows a request and its answer by; 0: neither
  std::uint8_t shape = 0;
  caf::message content;
};

/// How many shapes of messages travel between nodes.
std::size_t parcel_shapes();

/// Names what a message of that shape holds.
const char* parcel_shape_name(std::size_t shape);

/// Appends a message to `out`. Returns its shape, or nothing if such a message does not travel.
///
/// Both sides must have been built of the same protocol version: a shape is known by its place in
/// the list, and no type's name is written. CAF writes names with every message, which is longer
/// than most of them.
std::optional<std::uint8_t> write_parcel(caf::actor_system& system, std::string& out,
                                         const address& to, const address& from, std::uint64_t id,
                                         const caf::type_erased_tuple& content);

/// Reads parcels one after the other.
class parcel_reader {
public:
  /// `data` must outlive the reader.
  parcel_reader(caf::actor_system& system, const std::string& data);

  /// Returns the next parcel, or nothing at the end. Throws `std::runtime_error` if the bytes are
  /// none that `write_parcel` writes.
  std::optional<parcel> next();

private:
  caf::actor_system& system_;
  const std::string& data_;
  std::size_t at_ = 0;
};

} // namespace troupe
