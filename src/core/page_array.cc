#include "core/page_array.h"

#include <fmt/format.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "podium/error.h"

namespace podium {
namespace {

// Large arrays use huge pages if the system has them, allocated on first write. Small ones are
// about to be written: getting all their pages at once is cheaper than one fault per page.
void prepare(char* pages, std::size_t old_bytes, std::size_t new_bytes) {
  constexpr std::size_t kLarge = std::size_t{2} << 20;
  constexpr std::size_t kPage = 4096;
  if (new_bytes >= kLarge) {
    madvise(pages, new_bytes, MADV_HUGEPAGE);
    return;
  }
#ifdef MADV_POPULATE_WRITE
  const std::size_t first = (old_bytes + kPage - 1) / kPage * kPage;
  if (first < new_bytes) madvise(pages + first, new_bytes - first, MADV_POPULATE_WRITE);
#else
  static_cast<void>(old_bytes);
#endif
}

void* new_pages(std::size_t bytes) {
  return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

// ThreadSanitizer does not see mremap, and would report the next user of the old addresses.
void* moved_pages(void* pages, std::size_t old_bytes, std::size_t new_bytes) {
#ifdef __SANITIZE_THREAD__
  void* moved = new_pages(new_bytes);
  if (moved == MAP_FAILED) return moved;
  std::memcpy(moved, pages, std::min(old_bytes, new_bytes));
  munmap(pages, old_bytes);
  return moved;
#else
  return mremap(pages, old_bytes, new_bytes, MREMAP_MAYMOVE);
#endif
}

}  // namespace

void* resize_pages(void* pages, std::size_t old_bytes, std::size_t new_bytes) {
  if (new_bytes == 0) {
    if (pages) munmap(pages, old_bytes);
    return nullptr;
  }
  void* moved = pages ? moved_pages(pages, old_bytes, new_bytes) : new_pages(new_bytes);
  if (moved == MAP_FAILED)
    throw Error(ErrorCode::file, fmt::format("not enough memory: {} bytes are needed", new_bytes));
  prepare(static_cast<char*>(moved), pages ? old_bytes : 0, new_bytes);
  return moved;
}

void return_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace podium
