// The LETOR reader on any bytes. The first byte chooses options.
#include "data/formats/letor_reader.h"
#include "fuzz/reader_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace podium;
  if (size == 0) return 0;
  ReadOptions options;
  options.max_features = 2000;
  options.max_line_bytes = 500;
  options.first_feature = bytes[0] & 1;
  options.absent = bytes[0] & 2 ? AbsentFeatures::missing : AbsentFeatures::zero;
  if (bytes[0] & 8) options.categorical = "2,4";
  if (bytes[0] & 16) options.ignore = "1";
  const bool sizes_given = bytes[0] & 4;
  fuzzing::check_blocks_agree({reinterpret_cast<const char*>(bytes) + 1, size - 1}, options,
                              [sizes_given](TextSource& source, const ReadOptions& given,
                                            RowContext around, Context& context) {
                                if (sizes_given) around.query_sizes = {2, 1};
                                return read_letor(source, given, std::move(around), context);
                              });
  return 0;
}
