// Reading and writing data files. The file's suffix chooses the format: LETOR/SVMlight text
// (`.txt`, `.letor`, `.svm`), `.csv`, `.tsv`, each optionally followed by `.gz`, `.zst`, or (to be
// read only) `.xz` or `.bz2`, and `.podium`, the memory-mapped binary. For a file with another
// suffix the first bytes decide the format when reading; it is written as LETOR text. `-` is
// standard input or output (LETOR text).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/options.h"

namespace podium {

enum class AbsentFeatures { zero, missing };

struct ReadOptions {
  std::string format = "auto";                   // auto, or a format's name
  AbsentFeatures absent = AbsentFeatures::zero;  // value of features that a row does not list
  std::string label_column;                      // CSV: empty means label, grade or relevance
  std::string label;                             // CSV: an expression of columns instead of one
  std::string qid_column;                        // empty: qid or query
  std::string docid_column;                      // empty: docid
  std::string weight_column;                     // empty: weight
  std::string query_weight_column;               // empty: none
  std::string position_column;                   // empty: position
  std::string host_column;                       // empty: host
  bool no_header = false;                        // CSV: the first line is a row
  std::string separator;                         // CSV: empty: found in the first line
  std::int64_t first_feature = 1;                // LETOR: the lowest feature id, 1 or 0
  std::int64_t max_line_bytes = std::int64_t{64} << 20;
  std::int64_t max_features = 1'000'000;
  std::int64_t max_unpacked_bytes = 0;  // of a compressed file; 0: half of the machine's memory
  std::string categorical;              // columns that are categories: names or numbers, "brand,7"
  std::string ignore;                   // columns that are not read, in the same form
  std::string schema;                   // a JSON file with the same information
  // The types that a model expects: used for columns of the file unless the options above specify
  // them.
  std::vector<std::pair<std::string, FeatureType>> expected = {};
  // CSV: the features that will be used, by name; empty: all. Text in other columns is no error,
  // but a missing value. Items that could be numbers of features or ranges ("2", "3-5") mean all.
  std::vector<std::string> needed = {};
};
const OptionTable<ReadOptions>& read_option_table();

// Throws an Error with file and line on anything malformed. Rows of a query that are not contiguous
// are regrouped, with a note to the observer. With LETOR text the side files of LightGBM and
// XGBoost are read if they exist: FILE.query or FILE.group (sizes, for rows without a qid),
// FILE.weight, FILE.position.
Dataset read_dataset(const std::string& path, const ReadOptions& options, Context& context);

// This rank's part of the data; all ranks must call it. A path with `{rank}` names one file per
// rank. Otherwise every rank reads its part of a single file: plain text is divided into byte
// ranges that begin at a query, and of a .podium file a range of queries is mapped. The parts, in
// rank order, are what one process would have read: the same number of features, names and storage.
// A qid whose rows are in two parts is refused.
Dataset read_share(const std::string& path, const ReadOptions& options, Context& context);
// The path with `{rank}` replaced by the rank's number.
std::string path_of_rank(std::string path, int rank);

// Rows in document order, query by query. The observer gets a note about anything the format cannot
// store. For LETOR text, weights and positions go into side files.
void write_dataset(const Dataset& data, const std::string& path, Context& context);

// One number per line, in the row order of the data file; returned in document order.
std::vector<double> read_scores(const std::string& path, const Dataset& data);
// This rank's part of a file with the scores of all ranks' rows, or one file per rank (`{rank}`).
std::vector<double> read_scores_share(const std::string& path, const Dataset& share,
                                      Context& context);
void write_scores(std::span<const double> scores, const Dataset& data, const std::string& path,
                  ThreadPool& pool);

}  // namespace podium
