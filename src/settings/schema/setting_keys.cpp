#include "settings/schema/setting_keys.hpp"

#include "settings/schema/fields.hpp"

#include <type_traits>
#include <utility>

namespace troupe {

namespace {

/// The visitor that lists the keys.
class key_lister {
public:
  template <class T>
  void field(const field_info& info, const T&) {
    setting_key found{prefix_ + std::string(info.name), std::string(info.meaning), {}};
    if constexpr (std::is_same_v<T, bool>)
      found.values = {"true", "false"};
    for (const auto choice : info.values.choices)
      found.values.emplace_back(choice);
    keys_.push_back(std::move(found));
  }

  template <class T>
  void table(const field_info& info, T&& members) {
    const auto outer = std::exchange(prefix_, prefix_ + std::string(info.name) + '.');
    describe(*this, members);
    prefix_ = outer;
  }

  template <class T>
  void overlay(const field_info&, T&) {}

  template <class T>
  void list(const field_info& info, std::vector<T>&, const T& element) {
    auto first = element;
    const auto outer = std::exchange(prefix_, prefix_ + std::string(info.name) + ".0.");
    describe(*this, first);
    prefix_ = outer;
  }

  std::vector<setting_key> take() { return std::move(keys_); }

private:
  std::string prefix_;
  std::vector<setting_key> keys_;
};

} // namespace

std::vector<setting_key> setting_keys() {
  run_settings settings;
  key_lister lister;
  describe(lister, settings);
  return lister.take();
}

} // namespace troupe
