#include "jobs/spec/job_spec.hpp"
#include "jobs/spec/spec_reader.hpp"

#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include <map>

namespace troupe {

namespace {

using json = nlohmann::json;

/// Turns TOML into JSON, and keeps the line of each value by its JSON pointer.
class toml_to_json {
public:
  json convert(const toml::node& node, const json::json_pointer& at) {
    lines_[at.to_string()] = node.source().begin.line;
    if (const auto* table = node.as_table()) {
      auto out = json::object();
      for (const auto& [key, value] : *table) {
        const std::string name{key.str()};
        out[name] = convert(value, at / name);
      }
      return out;
    }
    if (const auto* array = node.as_array()) {
      auto out = json::array();
      for (std::size_t i = 0; i < array->size(); ++i)
        out.push_back(convert((*array)[i], at / i));
      return out;
    }
    return scalar(node);
  }

  /// The line of a value, or of the nearest around it.
  unsigned line_of(const std::string& pointer) const {
    for (json::json_pointer at{pointer};; at.pop_back()) {
      const auto it = lines_.find(at.to_string());
      if (it != lines_.end() && it->second > 0)
        return it->second;
      if (at.empty())
        return 1;
    }
  }

private:
  static json scalar(const toml::node& node) {
    if (const auto* text = node.as_string())
      return text->get();
    if (const auto* whole = node.as_integer())
      return whole->get() < 0 ? json(whole->get()) : json(static_cast<std::uint64_t>(whole->get()));
    if (const auto* number = node.as_floating_point())
      return number->get();
    if (const auto* flag = node.as_boolean())
      return flag->get();
    return {}; // dates and times: no value is one
  }

  std::map<std::string, unsigned> lines_;
};

} // namespace

job_spec read_job_toml(std::string_view text, const std::string& name) {
  toml::table parsed;
  try {
    parsed = toml::parse(text, name);
  } catch (const toml::parse_error& e) {
    throw spec_error{{{name + ':' + std::to_string(e.source().begin.line),
                       "is not TOML: " + std::string{e.description()}}}};
  }
  toml_to_json converter;
  const auto value = converter.convert(parsed, json::json_pointer{});
  return read_job(value, job_origin::client, [&](const std::string& pointer) {
    const auto line = name + ':' + std::to_string(converter.line_of(pointer));
    const auto last = pointer.rfind('/');
    return last == std::string::npos ? line : line + ": " + pointer.substr(1);
  });
}

} // namespace troupe
