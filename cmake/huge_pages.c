/* A library to preload into compilers, on Linux: their large blocks of anonymous memory start at a multiple
 * of 2 MiB and ask for transparent huge pages, for which most distributions want a program to ask
 * (/sys/kernel/mm/transparent_hugepage/enabled: madvise). GCC takes its memory from mmap itself, so that an
 * allocator with huge pages does not reach it. Where the kernel has no huge pages, nothing changes.
 * It is no part of Troupe's programs; see `launcher` in `dev`. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static const size_t huge = 2 << 20; /* bytes */

static void *map(void *address, size_t bytes, int access, int flags, int file, off_t offset) {
  return (void *)syscall(SYS_mmap, address, bytes, access, flags, file, offset);
}

void *mmap(void *address, size_t bytes, int access, int flags, int file, off_t offset) {
  if (address != NULL || file != -1 || bytes == 0 || bytes % huge != 0)
    return map(address, bytes, access, flags, file, offset);
  char *whole = map(NULL, bytes + huge, access, flags, file, offset);
  if ((void *)whole == MAP_FAILED) return MAP_FAILED;
  char *block = (char *)(((uintptr_t)whole + huge - 1) / huge * huge);
  const size_t before = (size_t)(block - whole);
  if (before > 0) munmap(whole, before);
  munmap(block + bytes, huge - before);
  madvise(block, bytes, MADV_HUGEPAGE);
  return block;
}
