#pragma once

#include <chrono>
#include <cstdint>

/// The resources that this process has used.
namespace troupe {

/// In bytes.
std::uint64_t resident_memory();

/// Of all threads, since the start.
std::chrono::duration<std::uint64_t, std::milli> cpu_time();

} // namespace troupe
