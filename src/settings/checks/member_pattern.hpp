#pragma once

#include <cstdint>
#include <string_view>

namespace troupe {

/// Returns whether `pattern`, in which '*' matches any run of characters, may match the name "R.N"
/// of a member, with R the name of its role and N < count, or the name "R.N.I" of a later
/// incarnation of it, where these have `names_of_their_own`.
bool may_match_member(std::string_view pattern, std::string_view role_name, std::uint32_t count,
                      bool names_of_their_own);

/// Returns whether `pattern` matches `name`.
bool matches_name(std::string_view pattern, std::string_view name);

} // namespace troupe
