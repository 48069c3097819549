#pragma once
#include <string>
namespace troupe::test {
inline std::string readable(const std::string& s) { return s; }
inline std::string padded(std::string s, std::size_t n) { s.resize(std::max(n, s.size()+1), ' '); return s; }
}
