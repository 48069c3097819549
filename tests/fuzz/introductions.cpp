// What a process says first on a connection: what is read is what is written again.
#include "fuzz/input.hpp"
#include "nodes/connections/introduction.hpp"

#include <algorithm>

using namespace troupe;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::span<const std::uint8_t> in{data, size};
  const auto bytes = fuzz::text_of(in);
  constexpr auto header_size = introduction_header::size;
  const auto header = read_introduction_header(std::string_view{bytes}.substr(0, header_size));
  if (!header)
    return 0;
  fuzz::require(header->body > 0 && header->body <= introduction_header::longest_body,
                "the length of a body is within its limits");
  const auto body = std::string_view{bytes}.substr(header_size, header->body);
  const auto who = read_introduction(body);
  if (!who)
    return 0;
  const auto again = write_introduction(*who);
  fuzz::require(read_introduction(std::string_view{again}.substr(header_size)) == who,
                "an introduction is read as it was written");
  return 0;
}
