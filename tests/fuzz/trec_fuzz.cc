// The readers of TREC files on any bytes: the same text, cut into blocks of different sizes and
// parsed by different numbers of threads, must give the same lines or the same error. The first
// byte chooses the kind of file.
#include <cstdlib>
#include <string>

#include "measures/trec_reader.h"

namespace podium {
namespace {

std::string outcome_of(std::string_view text, const TrecFormat& format, std::size_t block_bytes,
                       ThreadPool& pool) {
  static const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
  TextLimits limits;
  limits.block_bytes = block_bytes;
  std::string outcome;
  try {
    const TrecFile file = read_trec(*text_in_memory(text, limits), "file", format, context);
    for (std::size_t t = 0; t < file.topics(); ++t) {
      outcome.append(file.topic(t)) += '\n';
      for (const TrecFile::Line& line : file.lines(t))
        outcome.append(line.document) += ' ' + std::to_string(line.value) + '\n';
    }
    outcome.append(file.run_id());
  } catch (const Error& error) {
    outcome = error.what();
  }
  return outcome;
}

}  // namespace
}  // namespace podium

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace podium;
  if (size == 0) return 0;
  static ThreadPool one(1), three(3);
  const TrecFormat& format = bytes[0] & 1 ? kRunFormat : kQrelsFormat;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const std::string whole = outcome_of(text, format, std::size_t{1} << 20, one);
  for (const std::size_t block_bytes : {1, 17, 64})
    if (outcome_of(text, format, block_bytes, three) != whole) std::abort();
  return 0;
}
