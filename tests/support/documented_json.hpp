#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace troupe::test {

/// docs/json.md, with which outputs of commands are compared.
class documented_json {
public:
  documented_json();

  /// Returns what is wrong with an output of a command, by its section: members that are not
  /// documented or of another type, and missing ones.
  std::vector<std::string> faults(const std::string& section, const nlohmann::json& output) const;

private:
  struct row {
    std::vector<std::string> path; ///< "[]": an element of a list; "*": any name
    std::vector<std::string> types;
    std::string section; ///< of the object that the type refers to; empty: none
    bool optional = false;
  };
  struct section {
    std::string name;
    std::vector<row> rows;
  };

  const section* find(const std::string& name) const;
  static row read_row(const std::string& line);

  void check(const section& as, const nlohmann::json& value, const std::string& where,
             std::vector<std::string>& faults) const;
  void check_missing(const section& as, const nlohmann::json& value, const std::string& where,
                     std::vector<std::string>& faults) const;
  /// Returns whether the value at `path` in an object of `as` is documented.
  bool admits(const section& as, const std::vector<std::string>& path, std::size_t from,
              const nlohmann::json& value) const;

  std::vector<section> sections_;
};

} // namespace troupe::test
