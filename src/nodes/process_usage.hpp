#pragma once

#include <chrono>
#include <cstdint>

/// What this process has taken of its host.
namespace troupe {

/// In bytes.
std::uint64_t resident_memory();

/// Of all threads, since the start.
std::chrono::duration<std::uint64_t, std::milli> cpu_time();

} // namespace troupe
