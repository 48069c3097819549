#pragma once

#include "policies/policy.hpp"
#include "policies/setting.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

/// What a plugin and the program that loads it must agree on before either calls the other.
namespace troupe {

#define TROUPE_TEXT_OF(x) #x
#define TROUPE_TEXT(x) TROUPE_TEXT_OF(x)

/// The compiler's side of the ABI: how it names and lays out what crosses the border.
#define TROUPE_COMPILER_ABI                                                                        \
  "C++ ABI " TROUPE_TEXT(__GXX_ABI_VERSION) ", strings " TROUPE_TEXT(                              \
    _GLIBCXX_USE_CXX11_ABI) ", language " TROUPE_TEXT(__cplusplus)

/// The version of the contract; it changes with the meaning of what a plugin is called for.
inline constexpr int plugin_contract = 1;

/// Folds the sizes and alignments of types into one number, so that a plugin that was compiled
/// against other headers is noticed.
template <class... Types>
constexpr std::uint64_t layout_of() {
  std::uint64_t h = 0xCBF29CE484222325ULL;
  ((h = (h ^ (sizeof(Types) * 64 + alignof(Types))) * 0x100000001B3ULL), ...);
  return h;
}

/// Returns the ABI string of a kind of plugin: equal strings mean that the plugin fits.
inline std::string abi_text(const char* kind, const char* compiler, std::uint64_t layout) {
  std::string text = std::string(kind) + " contract " + std::to_string(plugin_contract) + ", " +
                     compiler + ", layout ";
  for (int shift = 60; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[(layout >> shift) & 15];
  return text;
}

} // namespace troupe
