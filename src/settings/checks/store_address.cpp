#include "settings/checks/store_address.hpp"

#include <algorithm>
#include <charconv>

namespace troupe {

namespace {

constexpr std::string_view schemes[] = {"postgresql://", "postgres://"};
address_fault with_password() {
  return {"an address with a password, which other nodes and people would see",
          "one without: libpq reads it from the file that passfile=FILE, $PGPASSFILE or ~/.pgpass "
          "names, or from a service file"};
}

/// The name of an option, with %XX read.
std::string name_of_option(std::string_view option) {
  const auto text = option.substr(0, option.find('='));
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    const auto* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      name += static_cast<char>(code);
      i += 2;
    } else {
      name += text[i];
    }
  }
  return name;
}

} // namespace

bool is_store_address(std::string_view text) {
  return std::ranges::any_of(schemes, [&](auto scheme) { return text.starts_with(scheme); });
}

std::optional<address_fault> fault_of_store_address(std::string_view text) {
  if (!is_store_address(text))
    return address_fault{"something else", "postgresql://[USER@]HOST[:PORT]/DATABASE"};
  if (std::ranges::any_of(text, [](unsigned char c) { return c <= ' ' || c == 0x7F; }))
    return address_fault{"an address with a blank or a control character",
                         "none, or its code, such as %20"};
  const auto rest = text.substr(text.find("//") + 2);
  const auto question = rest.find('?');
  auto options = question == std::string_view::npos ? "" : rest.substr(question);
  // The last one: what is before it may have been meant as a part of a password.
  const auto at = rest.substr(0, question).rfind('@');
  if (at != std::string_view::npos && rest.substr(0, at).find(':') != std::string_view::npos)
    return with_password();
  while (!options.empty()) {
    const auto end = std::min(options.find_first_of("?&", 1), options.size());
    if (name_of_option(options.substr(1, end - 1)).find("password") != std::string::npos)
      return with_password();
    options.remove_prefix(end);
  }
  return std::nullopt;
}

} // namespace troupe
