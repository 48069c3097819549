#pragma once

#include "policies/policy.hpp"
#include "policies/setting.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

/// The ABI on which a plugin and the program must agree before either calls the other.
namespace troupe {

#define TROUPE_TEXT_OF(x) #x
#define TROUPE_TEXT(x) TROUPE_TEXT_OF(x)

/// The compiler's part of the ABI: names and layouts of shared types.
#define TROUPE_COMPILER_ABI                                                                        \
  "C++ ABI " TROUPE_TEXT(__GXX_ABI_VERSION) ", strings " TROUPE_TEXT(                              \
    _GLIBCXX_USE_CXX11_ABI) ", language " TROUPE_TEXT(__cplusplus)

/// The version of the contract; it changes with the meaning of the functions of a plugin.
inline constexpr int plugin_contract = 1;

/// Hashes the sizes and alignments of types, to detect a plugin that was compiled against other
/// headers.
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
