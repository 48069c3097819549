#include "nodes/routing/snapshot_codec.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

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

/// Maps small differences of either sign to small numbers.
std::uint32_t zigzag(std::uint32_t difference) {
  return (difference << 1) ^ (difference >> 31 != 0 ? 0xFFFF'FFFFU : 0U);
}

std::uint32_t unzigzag(std::uint32_t coded) {
  return (coded >> 1) ^ ((coded & 1) != 0 ? 0xFFFF'FFFFU : 0U);
}

std::vector<std::uint32_t> unsigned_cells(const cell_array& cells) {
  return cells.look([n = cells.size()](const auto* first) {
    std::vector<std::uint32_t> all(n);
    std::transform(first, first + n, all.begin(),
                   [](std::int32_t cell) { return static_cast<std::uint32_t>(cell); });
    return all;
  });
}

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
                                          const std::string& changes, std::size_t most) {
  std::size_t at = 0;
  const auto size = get_varint(changes, at);
  if (size > most)
    throw std::runtime_error("a snapshot with " + std::to_string(size) +
                             " values; expected at most " + std::to_string(most));
  before.resize(size);
  std::size_t i = 0;
  while (at < changes.size()) {
    const auto equal = get_varint(changes, at);
    i = equal < before.size() - i ? i + equal : before.size();
    const auto difference = unzigzag(static_cast<std::uint32_t>(get_varint(changes, at)));
    if (i >= before.size())
      throw std::runtime_error("a snapshot of unknown machines");
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

sync_update snapshot_decoder::decode(const sync_delta& delta, const snapshot_sizes& sizes) {
  sync_update update{delta.owner, delta.round, delta.commits_seen, {}, delta.used};
  for (const auto& p : delta.partitions) {
    if (p.partition >= sizes.machines.size())
      throw std::runtime_error("a snapshot of partition " + std::to_string(p.partition) +
                               ", where there are " + std::to_string(sizes.machines.size()));
    auto& kept = seen_[p.partition];
    auto before = std::exchange(kept, {}); // if decoding fails, nothing is kept
    if (p.number == 1)
      before = {};
    if (p.number != before.number + 1)
      continue;
    const std::size_t machines = sizes.machines[p.partition];
    before.number = p.number;
    before.free = decode_changes(std::move(before.free), p.free, machines * sizes.columns);
    before.versions = decode_changes(std::move(before.versions), p.versions, machines);
    if (before.free.size() != machines * sizes.columns ||
        (!before.versions.empty() && before.versions.size() != machines) ||
        std::ranges::any_of(
          p.held, [&](const held_band& b) { return b.cells.size() != machines * sizes.columns; }))
      throw std::runtime_error("a snapshot of a part of partition " + std::to_string(p.partition));
    update.partitions.push_back({p.partition, p.taken_at,
                                 std::vector<std::int32_t>{before.free.begin(), before.free.end()},
                                 before.versions, p.held, p.version});
    kept = std::move(before);
  }
  return update;
}

} // namespace troupe
