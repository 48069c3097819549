#include "settings/toml/reader.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace troupe {

namespace {

std::optional<double> number_in(const toml::node& node, const allowed& values) {
  const auto number = node.is_number() ? node.value<double>() : std::nullopt;
  return number && values.contains(*number) ? number : std::nullopt;
}

} // namespace

std::string reader::kind_and_range(std::string_view kind, const allowed& values) {
  const auto range = values.to_text();
  return std::string(kind) + (range.empty() ? "" : ", " + range);
}

void reader::refuse_unknown() const {
  for (const auto& [key, node] : *table_)
    if (std::ranges::find(known_, key.str()) == known_.end())
      problems_->unknown(key_path(path_, key.str()), known_);
}

void reader::read(const toml::node& node, const std::string& path, const allowed&, bool& member) {
  if (const auto* value = node.as_boolean())
    member = value->get();
  else
    problems_->wrong(path, to_text(node), "true or false");
}

void reader::read(const toml::node& node, const std::string& path, const allowed& values,
                  double& member) {
  if (const auto number = number_in(node, values))
    member = *number;
  else
    problems_->wrong(path, to_text(node), kind_and_range("a number", values));
}

void reader::read(const toml::node& node, const std::string& path, const allowed& values,
                  duration& member) {
  const auto* text = node.as_string();
  const auto* number = node.as_integer();
  if (number != nullptr && number->get() == 0)
    text = nullptr;
  else if (text == nullptr) {
    const auto hint = number != nullptr ? std::to_string(number->get()) + "s" : "5s";
    problems_->wrong(path, to_text(node), "a duration with its unit: write \"" + hint + "\"");
    return;
  }
  try {
    const auto value = parse_duration(text == nullptr ? "0" : text->get());
    if (values.contains(to_seconds(value)))
      member = value;
    else
      problems_->wrong(path, to_text(node), kind_and_range("a duration", values));
  } catch (const std::invalid_argument& right) {
    problems_->wrong(path, to_text(node), right.what());
  }
}

void reader::read(const toml::node& node, const std::string& path, const allowed& values,
                  std::string& member) {
  const auto* text = node.as_string();
  if (text != nullptr && values.contains(std::string_view(text->get())))
    member = text->get();
  else if (values.choices.empty())
    problems_->wrong(path, to_text(node), "a text, as in \"abc\"");
  else
    problems_->wrong(path, to_text(node), values.to_text());
}

void reader::read(const toml::node& node, const std::string& path, const allowed& values,
                  std::vector<double>& member) {
  const auto* array = node.as_array();
  if (array == nullptr) {
    problems_->wrong(path, to_text(node), "an array of numbers, as in [0, 1]");
    return;
  }
  member.clear();
  for (std::size_t i = 0; i < array->size(); ++i)
    if (const auto number = number_in((*array)[i], values))
      member.push_back(*number);
    else
      problems_->wrong(key_path(path, std::to_string(i)), to_text((*array)[i]),
                       kind_and_range("a number", values));
}

void reader::read(const toml::node& node, const std::string& path, const allowed&,
                  std::vector<std::string>& member) {
  const auto* array = node.as_array();
  if (array == nullptr) {
    problems_->wrong(path, to_text(node), "an array of texts, as in [\"abc\"]");
    return;
  }
  member.clear();
  for (std::size_t i = 0; i < array->size(); ++i)
    if (const auto* text = (*array)[i].as_string())
      member.push_back(text->get());
    else
      problems_->wrong(key_path(path, std::to_string(i)), to_text((*array)[i]),
                       "a text, as in \"abc\"");
}

void reader::read(const toml::node& node, const std::string& path, const allowed&,
                  std::map<std::string, std::string>& member) {
  const auto* table = node.as_table();
  if (table == nullptr) {
    problems_->wrong(path, to_text(node), "a table, as in { disk = \"ssd\" }");
    return;
  }
  member.clear();
  for (const auto& [key, value] : *table)
    if (const auto* text = value.as_string())
      member.emplace(key.str(), text->get());
    else
      problems_->wrong(key_path(path, key.str()), to_text(value), "a text, as in \"abc\"");
}

void reader::read(const toml::node& node, const std::string& path, const allowed& values,
                  std::map<std::string, double>& member) {
  const auto* table = node.as_table();
  if (table == nullptr) {
    problems_->wrong(path, to_text(node), "a table, as in { \"disk == ssd\" = 0.7 }");
    return;
  }
  member.clear();
  for (const auto& [key, value] : *table)
    if (const auto number = number_in(value, values))
      member.emplace(key.str(), *number);
    else
      problems_->wrong(key_path(path, key.str()), to_text(value),
                       kind_and_range("a number", values));
}

} // namespace troupe
