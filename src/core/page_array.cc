#include "core/page_array.h"

#include <fmt/format.h>
#include <sys/mman.h>

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

}  // namespace

void* resize_pages(void* pages, std::size_t old_bytes, std::size_t new_bytes) {
  if (new_bytes == 0) {
    if (pages) munmap(pages, old_bytes);
    return nullptr;
  }
  void* moved =
      pages ? mremap(pages, old_bytes, new_bytes, MREMAP_MAYMOVE)
            : mmap(nullptr, new_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (moved == MAP_FAILED)
    throw Error(ErrorCode::file, fmt::format("not enough memory: {} bytes are needed", new_bytes));
  prepare(static_cast<char*>(moved), pages ? old_bytes : 0, new_bytes);
  return moved;
}

}  // namespace podium
