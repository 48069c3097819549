#include "nodes/connections/introduction.hpp"

namespace troupe {

namespace {

constexpr std::string_view magic = "TRPE";

std::string write(char kind, const std::string& body) {
  std::string bytes{magic};
  bytes += kind;
  bytes += static_cast<char>(body.size() >> 8);
  bytes += static_cast<char>(body.size());
  return bytes + body;
}

std::set<std::string> split(std::string_view text) {
  std::set<std::string> parts;
  while (!text.empty()) {
    const auto comma = text.find(',');
    parts.emplace(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return parts;
}

} // namespace

std::string write_introduction(const introduction& who) {
  std::string body = who.name;
  body += '\0';
  for (const auto& role : who.roles)
    body += role + ',';
  body += '\0';
  return write('I', body + who.instance);
}

std::string write_refusal(const std::string& why) {
  return write('R', why.substr(0, introduction_header::longest_body));
}

std::optional<introduction_header> read_introduction_header(std::string_view bytes) {
  if (bytes.size() != introduction_header::size || !bytes.starts_with(magic) ||
      (bytes[4] != 'I' && bytes[4] != 'R'))
    return std::nullopt;
  const auto high = static_cast<unsigned char>(bytes[5]);
  const auto low = static_cast<unsigned char>(bytes[6]);
  const introduction_header found{bytes[4] == 'R', std::size_t{high} << 8 | low};
  if (found.body == 0 || found.body > introduction_header::longest_body)
    return std::nullopt;
  return found;
}

std::optional<introduction> read_introduction(std::string_view body) {
  const auto name_end = body.find('\0');
  if (name_end == std::string_view::npos)
    return std::nullopt;
  const auto roles_end = body.find('\0', name_end + 1);
  if (roles_end == std::string_view::npos)
    return std::nullopt;
  return introduction{std::string{body.substr(0, name_end)},
                      split(body.substr(name_end + 1, roles_end - name_end - 1)),
                      std::string{body.substr(roles_end + 1)}};
}

} // namespace troupe
