#include "settings/checks/problems.hpp"

#include "settings/checks/nearest_name.hpp"
#include "settings/toml/read.hpp"

namespace troupe {

namespace {

std::string message(const std::string& key, const std::string& value, const std::string& expected) {
  return "key '" + key + "': value " + value + "; expected " + expected;
}

} // namespace

void problems::wrong(const std::string& path, const std::string& value,
                     const std::string& expected) {
  add(from_->find(path), message(path, value, expected));
}

void problems::refuse(const std::string& path, const std::string& why) {
  add(from_->find(path), "key '" + path + "': " + why);
}

void problems::conflict(const std::string& prefix, const std::string& key, const std::string& value,
                        const std::string& expected, std::initializer_list<std::string> others) {
  for (const auto& path : {prefix + key, key})
    if (from_->has(path)) {
      wrong(path, value, expected);
      return;
    }
  auto where = from_->find(prefix + key);
  for (const auto& other : others)
    if (const auto path = from_->has(prefix + other) ? prefix + other : other; from_->has(path)) {
      where = from_->find(path);
      break;
    }
  add(where, message(key, value + " (the default)", expected));
}

void problems::unknown(const std::string& path, std::span<const std::string_view> known) {
  const auto dot = path.rfind('.');
  const auto name = dot == std::string::npos ? path : path.substr(dot + 1);
  auto text = "key '" + path + "' is unknown; expected ";
  const auto nearest = nearest_name(name, known);
  if (!nearest.empty()) {
    text += '\'';
    text += nearest;
    text += "'?";
  }
  for (std::size_t i = 0; nearest.empty() && i < known.size(); ++i) {
    if (i > 0)
      text += i + 1 == known.size() ? " or " : ", ";
    text += known[i];
  }
  add(from_->find(path), text);
}

void problems::throw_first() const {
  if (first_)
    throw settings_error(message_);
}

void problems::add(const place& where, const std::string& text) {
  if (first_ && first_->order <= where.order)
    return;
  first_ = where;
  message_ = where.text + ": " + text;
}

} // namespace troupe
