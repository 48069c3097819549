#include "nodes/snapshot_codec.hpp"

#include <algorithm>
#include <stdexcept>

namespace troupe {

namespace {

void put_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

std::uint64_t get_varint(const std::string& in, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; at < in.size() && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(in[at++]);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80)
      return value;
  }
  throw std::runtime_error("a snapshot that ends too early");
}

/// Small differences of either sign become small numbers.
std::uint32_t zigzag(std::uint32_t difference) {
  return (difference << 1) ^ (difference >> 31 != 0 ? 0xFFFF'FFFFU : 0U);
}

std::uint32_t unzigzag(std::uint32_t coded) {
  return (coded >> 1) ^ ((coded & 1) != 0 ? 0xFFFF'FFFFU : 0U);
}

std::vector<std::uint32_t> unsigned_cells(const std::vector<std::int32_t>& cells) {
  return {cells.begin(), cells.end()};
}

/// No partition has more cells than this.
constexpr std::uint64_t most_cells = std::uint64_t{1} << 28;

} // namespace

std::string encode_changes(const std::vector<std::uint32_t>& before,
                           const std::vector<std::uint32_t>& now) {
  std::string out;
  put_varint(out, now.size());
  std::size_t equal = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto was = i < before.size() ? before[i] : 0;
    if (now[i] == was) {
      ++equal;
      continue;
    }
    put_varint(out, equal);
    put_varint(out, zigzag(now[i] - was));
    equal = 0;
  }
  return out;
}

std::vector<std::uint32_t> decode_changes(std::vector<std::uint32_t> before,
                                          const std::string& changes) {
  std::size_t at = 0;
  const auto size = get_varint(changes, at);
  if (size > most_cells)
    throw std::runtime_error("a snapshot of more machines than there can be");
  before.resize(size);
  std::size_t i = 0;
  while (at < changes.size()) {
    i += get_varint(changes, at);
    const auto difference = unzigzag(static_cast<std::uint32_t>(get_varint(changes, at)));
    if (i >= before.size())
      throw std::runtime_error("a snapshot of machines that there are not");
    before[i++] += difference;
  }
  return before;
}

sync_delta snapshot_encoder::encode(const sync_update& update) {
  sync_delta delta{update.owner, update.round, update.commits_seen, {}, update.used};
  for (const auto& p : update.partitions) {
    auto& before = sent_[p.partition];
    if (before.number >= refresh_every)
      before = {};
    auto free = unsigned_cells(p.free);
    delta.partitions.push_back({p.partition, p.taken_at, p.version, ++before.number,
                                encode_changes(before.free, free),
                                encode_changes(before.versions, p.versions), p.held});
    before.free = std::move(free);
    before.versions = p.versions;
  }
  return delta;
}

sync_update snapshot_decoder::decode(const sync_delta& delta) {
  sync_update update{delta.owner, delta.round, delta.commits_seen, {}, delta.used};
  for (const auto& p : delta.partitions) {
    auto& before = seen_[p.partition];
    if (p.number == 1)
      before = {};
    if (p.number != before.number + 1) {
      before = {};
      continue;
    }
    before.number = p.number;
    before.free = decode_changes(std::move(before.free), p.free);
    before.versions = decode_changes(std::move(before.versions), p.versions);
    update.partitions.push_back({p.partition,
                                 p.taken_at,
                                 {before.free.begin(), before.free.end()},
                                 before.versions,
                                 p.held,
                                 p.version});
  }
  return update;
}

} // namespace troupe
