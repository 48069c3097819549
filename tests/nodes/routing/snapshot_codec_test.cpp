#include "nodes/routing/snapshot_codec.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <stdexcept>

using namespace troupe;

namespace {

partition_snapshot snapshot(partition_id p, std::vector<std::int32_t> free,
                            std::vector<std::uint32_t> versions) {
  partition_snapshot s;
  s.partition = p;
  s.taken_at = std::chrono::seconds{3};
  s.free = std::move(free);
  s.versions = std::move(versions);
  s.version = 7;
  return s;
}

/// Partitions of a cluster with one kind of resource.
snapshot_sizes sizes_of(std::vector<std::uint32_t> machines) {
  return {3, 1, std::move(machines)};
}

constexpr std::size_t many = 100;

sync_update update_of(std::vector<partition_snapshot> partitions) {
  sync_update u;
  u.owner = 2;
  u.round = 5;
  u.commits_seen = 11;
  u.partitions = std::move(partitions);
  return u;
}

} // namespace

TEST_CASE("changes: whatever differs is written, and read again") {
  const std::vector<std::uint32_t> before{5, 5, 5, 5, 300, 0};
  const std::vector<std::uint32_t> now{5, 4, 5, 4'000'000'000U, 300, 1, 9};

  const auto text = encode_changes(before, now);

  CHECK(decode_changes(before, text, many) == now);
  CHECK(encode_changes(now, now).size() == 1); // the length
  CHECK(decode_changes(now, encode_changes(now, {1, 2}), many) == std::vector<std::uint32_t>{1, 2});
  CHECK(decode_changes({}, encode_changes({}, {}), many).empty());
}

TEST_CASE("changes: bytes that nobody wrote are refused") {
  const auto text = encode_changes({}, {1, 2, 3});

  CHECK_THROWS_AS(decode_changes({}, text.substr(0, text.size() - 1), many), std::runtime_error);
  CHECK_THROWS_AS(decode_changes({}, "", many), std::runtime_error);
  CHECK_THROWS_AS(decode_changes({}, "\x02\x05\x02", many), std::runtime_error); // the sixth of two
  // Sums of places that wrap around.
  CHECK_THROWS_AS(
    decode_changes({}, "\x02\x01\x02\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\x02", many),
    std::runtime_error);
}

TEST_CASE("changes: few bytes do not make much memory") {
  // 2^28 cells, 1 GiB, of which none is named.
  const std::string text{"\x80\x80\x80\x80\x01"};
  CHECK_THROWS_WITH_AS(decode_changes({}, text, 400),
                       "a snapshot with 268435456 values; expected at most 400",
                       std::runtime_error);
  CHECK(decode_changes({}, "\x90\x03", 400).size() == 400);
}

TEST_CASE("snapshots of what the cluster does not have are refused") {
  const auto sizes = sizes_of({2, 2});
  const auto refused = [&](const partition_snapshot& s) {
    snapshot_encoder encoder;
    snapshot_decoder decoder;
    const auto delta = encoder.encode(update_of({s}));
    CHECK_THROWS_AS(decoder.decode(delta, sizes), std::runtime_error);
  };
  refused(snapshot(2, {1, 2}, {}));
  refused(snapshot(0, {1, 2, 3}, {}));
  refused(snapshot(0, {1}, {}));
  refused(snapshot(0, {}, {}));
  refused(snapshot(0, {1, 2}, {1}));
  refused(snapshot(0, {1, 2}, {1, 2, 3}));
  auto held = snapshot(0, {1, 2}, {});
  held.held = {{0, {1, 2, 3}}};
  refused(held);
}

TEST_CASE("what cannot be decoded is forgotten until the partition comes whole") {
  const auto sizes = sizes_of({2});
  snapshot_encoder encoder;
  snapshot_decoder decoder;
  const auto sent = update_of({snapshot(0, {1, 2}, {})});
  decoder.decode(encoder.encode(sent), sizes);
  auto broken = encoder.encode(sent);
  broken.partitions[0].free = "\x09";
  CHECK_THROWS_AS(decoder.decode(broken, sizes), std::runtime_error);
  CHECK(decoder.decode(encoder.encode(sent), sizes).partitions.empty());
  encoder.forget();
  CHECK(decoder.decode(encoder.encode(sent), sizes).partitions.size() == 1);
}

TEST_CASE("a snapshot costs what has changed, not what there is") {
  snapshot_encoder encoder;
  std::vector<std::int32_t> free(10'000, 4);
  std::vector<std::uint32_t> versions(10'000, 1);
  const auto size = [](const sync_delta& d) {
    return d.partitions[0].free.size() + d.partitions[0].versions.size();
  };

  const auto whole = size(encoder.encode(update_of({snapshot(0, free, versions)})));
  const auto same = size(encoder.encode(update_of({snapshot(0, free, versions)})));
  free[17] = 3;
  ++versions[17];
  const auto one = size(encoder.encode(update_of({snapshot(0, free, versions)})));

  CHECK(whole > 20'000);
  CHECK(same < 10);
  CHECK(one < 15);
}

TEST_CASE("what is decoded is what was sent, round after round") {
  snapshot_encoder encoder;
  snapshot_decoder decoder;
  std::vector<std::int32_t> free(100, 8);
  std::vector<std::uint32_t> versions(100);
  std::iota(versions.begin(), versions.end(), 0U);
  for (int round = 0; round < 600; ++round) {
    free[static_cast<std::size_t>(round * 7 % 100)] -= round % 3 - 1;
    ++versions[static_cast<std::size_t>(round * 7 % 100)];
    const auto sent = update_of({snapshot(3, free, versions), snapshot(4, {round}, {})});

    const auto got = decoder.decode(encoder.encode(sent), sizes_of({0, 0, 0, 100, 1}));

    REQUIRE(got.partitions.size() == 2);
    CHECK(got.owner == 2);
    CHECK(got.round == 5);
    CHECK(got.commits_seen == 11);
    CHECK(got.partitions[0].free == free);
    CHECK(got.partitions[0].versions == versions);
    CHECK(got.partitions[0].version == 7);
    CHECK(got.partitions[0].taken_at == instant{std::chrono::seconds{3}});
    CHECK(got.partitions[1].free == std::vector<std::int32_t>{round});
    CHECK(got.partitions[1].versions.empty());
  }
}

TEST_CASE("without the delta before, a partition is left out until it comes whole") {
  const auto sizes = sizes_of({2});
  snapshot_encoder encoder;
  snapshot_decoder decoder;
  const auto sent = update_of({snapshot(0, {1, 2}, {})});
  decoder.decode(encoder.encode(sent), sizes);
  encoder.encode(sent); // is lost

  const auto after_loss = decoder.decode(encoder.encode(sent), sizes);
  encoder.forget();
  const auto whole = decoder.decode(encoder.encode(sent), sizes);

  CHECK(after_loss.partitions.empty());
  REQUIRE(whole.partitions.size() == 1);
  CHECK(whole.partitions[0].free == std::vector<std::int32_t>{1, 2});
}
