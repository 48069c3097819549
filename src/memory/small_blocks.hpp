#pragma once

#include <cstddef>

/// Replaces `operator new` and `operator delete` in the program: each thread keeps small blocks
/// that were given back, as many as fit into `small_block_bytes` for each size. Malloc does the
/// same with seven blocks of a size; a message to many actors is hundreds of blocks, which then
/// take the long way, there and back. All blocks are malloc's, so that others may be mixed with
/// these. Not with sanitizers, which watch every block.
namespace troupe {

/// Blocks of fewer bytes are small.
inline constexpr std::size_t small_block_limit = 512;

/// What a thread keeps of each size, in bytes.
inline constexpr std::size_t small_block_bytes = 256 << 10;

} // namespace troupe
