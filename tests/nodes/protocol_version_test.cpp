#include "actors/fields.hpp"
#include "nodes/fixture.hpp"
#include "nodes/routing/envelope.hpp"
#include "support/each_message.hpp"

#include <caf/binary_serializer.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace troupe;
using namespace troupe::test;

namespace {

/// FNV-1a: the same on every host.
std::uint64_t hash_of(const std::vector<char>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto c : bytes)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// Writes one line for each message type, with a hash of what some values of it are on the wire,
/// and one for each shape of an envelope, by its index.
struct protocol_writer : local_system {
  std::string text;

  template <class Block>
  void add_block() {
    for_each_message<Block>([this]<class T>() {
      filler fill{nullptr};
      std::vector<char> bytes;
      caf::binary_serializer sink{system, bytes};
      for (int i = 0; i < 20; ++i) {
        T sent{};
        fill(sent);
        REQUIRE_FALSE(sink(sent));
      }
      text += fmt::format("{} {:016x}\n", caf::type_name<T>::value, hash_of(bytes));
    });
  }

  std::string write() {
    text = fmt::format("protocol {}\n", protocol_version);
    add_block<caf::id_block::troupe>();
    add_block<caf::id_block::troupe_nodes>();
    for (std::size_t shape = 0; shape < envelope_shapes(); ++shape)
      text += fmt::format("envelope {} {}\n", shape, envelope_shape_name(shape));
    return text;
  }
};

constexpr const char* file_name = TROUPE_SOURCE_DIR "/tests/nodes/protocol.txt";

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);)
    lines.insert(line);
  return lines;
}

/// Returns the lines that are in one of the two only.
std::string difference(const std::string& known, const std::string& now) {
  std::vector<std::string> lines;
  std::ranges::set_symmetric_difference(lines_of(known), lines_of(now), std::back_inserter(lines));
  return fmt::format("{}", fmt::join(lines, ", "));
}

} // namespace

TEST_CASE_FIXTURE(protocol_writer, "the protocol has another version if a message is another one") {
  std::ifstream in{file_name};
  const std::string known{std::istreambuf_iterator<char>{in}, {}};
  const auto now = write();
  if (now == known)
    return;
  const auto fresh = std::string{TROUPE_BINARY_DIR} + "/protocol.txt";
  std::ofstream{fresh} << now;
  FAIL("the messages are not those of ", std::string{file_name}, ": ", difference(known, now),
       ". If a message differs, raise protocol_version in src/nodes/routing/node_messages.hpp, "
       "unless it has been raised since the last release; then copy ",
       fresh);
}
