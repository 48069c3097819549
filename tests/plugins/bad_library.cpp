// A plugin with one fault, which BAD names: each is a library of its own.
#define NO_ABI 1
#define NO_PLUGIN 2
#define OTHER_ABI 3
#define OTHER_KIND 4
#define NO_DESCRIPTOR 5
#define THROWS 6
#define NO_NAME 7
#define UNFIT_NAME 8
#define TAKEN_NAME 9
#define NO_FACTORY 10
#define BAD_DEFAULT 11
#define SAME_SETTING 12
#define UNDEFINED_SYMBOL 13

#include "policies/plugin.hpp"
#include "policies/random_fit.hpp"

#include <stdexcept>

namespace {

using namespace troupe;

[[maybe_unused]] std::unique_ptr<placement_policy> make(const setting_values&) {
  return std::make_unique<random_fit>();
}

[[maybe_unused]] const std::vector<setting_info> none;

} // namespace

#if BAD != NO_ABI
TROUPE_PLUGIN_EXPORT const char* troupe_plugin_abi() {
#if BAD == OTHER_ABI
  return "placement-policy contract 0, C++ ABI 1002, strings 0, language 199711, layout 0";
#else
  static const std::string text =
    abi_text(placement_policy_kind, TROUPE_COMPILER_ABI, policy_layout);
  return text.c_str();
#endif
}
#endif

TROUPE_PLUGIN_EXPORT const char* troupe_plugin_kind() {
  return BAD == OTHER_KIND ? "carrier-pigeon" : placement_policy_kind;
}

#if BAD == UNDEFINED_SYMBOL
void nowhere_to_be_found();
TROUPE_PLUGIN_EXPORT void use_it() {
  nowhere_to_be_found();
}
#endif

#if BAD != NO_PLUGIN
TROUPE_PLUGIN_EXPORT const void* troupe_plugin() {
  static policy_descriptor plugin{"bad", "does not work", {}, make};
#if BAD == NO_DESCRIPTOR
  return nullptr;
#elif BAD == THROWS
  throw std::runtime_error("not today");
#elif BAD == NO_NAME
  plugin.name = "";
#elif BAD == UNFIT_NAME
  plugin.name = "Bad Name";
#elif BAD == TAKEN_NAME
  plugin.name = "best-fit";
#elif BAD == NO_FACTORY
  plugin.make = nullptr;
#elif BAD == BAD_DEFAULT
  plugin.settings = {{.name = "k", .meaning = "how many", .standard = 200, .min = 1, .max = 100}};
#elif BAD == SAME_SETTING
  plugin.settings = {{.name = "k", .meaning = "how many", .standard = 2},
                     {.name = "k", .meaning = "how many more", .standard = 2}};
#endif
  return &plugin;
}
#endif
