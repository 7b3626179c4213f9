// The reader of click logs on any bytes: the same text, cut into blocks of different sizes and
// parsed by different numbers of threads, must give the same counts or the same error.
#include <cstdlib>
#include <string>

#include "clicks/log_reader.h"
#include "podium/error.h"

namespace podium {
namespace {

std::string outcome_of(std::string_view text, std::size_t block_bytes, ThreadPool& pool) {
  static const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
  TextLimits limits;
  limits.block_bytes = block_bytes;
  std::string outcome;
  try {
    const ClickLog log = read_click_log(*text_in_memory(text, limits), "file", {}, nullptr,
                                        KeptSessions::distinct, context);
    for (const ClickCell& cell : log.cells)
      outcome += log.qids[log.query_of[cell.document]] + ' ' + log.docids[cell.document] + ' ' +
                 std::to_string(cell.position) + ' ' + std::to_string(cell.shown) + ' ' +
                 std::to_string(cell.clicked) + '\n';
    outcome += std::to_string(log.sessions.size());
  } catch (const Error& error) {
    outcome = error.what();
  }
  return outcome;
}

}  // namespace
}  // namespace podium

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace podium;
  static ThreadPool one(1), three(3);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::string whole = outcome_of(text, std::size_t{1} << 20, one);
  for (const std::size_t block_bytes : {1, 17, 64})
    if (outcome_of(text, block_bytes, three) != whole) std::abort();
  return 0;
}
