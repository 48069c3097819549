#include <cstdio>
#include <model/base/time.hpp>
#include <policies/registry.hpp>

int main() {
  const auto span = troupe::to_string(troupe::from_seconds(0.25));
  const bool known = troupe::make_policy("latency-first", {}) != nullptr;
  std::printf("%s %s\n", span.c_str(), known ? "known" : "unknown");
}
