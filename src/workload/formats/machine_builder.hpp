#pragma once

#include "workload/formats/machine_table.hpp"
#include "workload/traces/trace_window.hpp"

#include <map>
#include <unordered_map>

namespace troupe {

/// Builds a table of machines from rows in the order of time.
class machine_builder {
public:
  using attributes = std::map<std::string, std::string>;

  explicit machine_builder(const machine_trace_settings& settings) : settings_(settings) {}

  /// Sets the capacity of a machine from `at`, a time of the trace, on; nothing: it has left.
  void set(const std::string& name, duration at, const resources& capacity);

  /// Sets the attributes of a machine.
  void describe(const std::string& name, const attributes& what);
  void describe(const std::string& name, const std::string& attribute, const std::string& value);
  void forget(const std::string& name, const std::string& attribute);

  /// Returns the table. Throws `std::runtime_error`, with `path`, if there are no machines.
  machine_table build(const std::string& path, const trace_tally& tally);

private:
  struct entry {
    std::string name;
    resources begin; ///< at the beginning of the run
    resources now;
    resources greatest;
    attributes what;
  };

  entry& find(const std::string& name);

  machine_trace_settings settings_;
  std::unordered_map<std::string, std::uint32_t> places_;
  std::vector<entry> entries_;
  std::vector<capacity_change> changes_;
};

} // namespace troupe
