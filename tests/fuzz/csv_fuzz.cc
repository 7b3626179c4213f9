// The CSV reader on any bytes. The first byte chooses options.
#include "data/formats/csv_reader.h"
#include "fuzz/reader_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace podium;
  if (size == 0) return 0;
  ReadOptions options;
  options.max_features = 200;
  options.max_line_bytes = 500;
  if (bytes[0] & 1) options.label_column = "a";
  if (bytes[0] & 2) options.qid_column = "b";
  if (bytes[0] & 8) options.categorical = "c,3";
  if (bytes[0] & 16) options.ignore = "d";
  if (bytes[0] & 32) options.no_header = true;
  if (bytes[0] & 64) options.separator = ";";
  const char separator = bytes[0] & 4 ? '\t' : ',';
  fuzzing::check_blocks_agree({reinterpret_cast<const char*>(bytes) + 1, size - 1}, options,
                              [separator](TextSource& source, const ReadOptions& given,
                                          RowContext around, Context& context) {
                                return read_csv(source, separator, given, std::move(around),
                                                context);
                              });
  return 0;
}
