// Reading and writing data files. The format follows the file's ending: LETOR/SVMlight text
// (`.txt`,
// `.letor`, `.svm`), `.csv`, `.tsv`, each with `.gz` or `.zst` behind it, and `.podium`, the
// memory-mapped binary. A file with another ending is read as what its first bytes look like, and
// written as LETOR text. `-` is standard input or output (LETOR text).
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
  AbsentFeatures absent = AbsentFeatures::zero;  // what a feature not named in a row means
  std::string label_column;                      // CSV: empty means label, grade or relevance
  std::string qid_column;                        // empty: qid or query
  std::string docid_column;                      // empty: docid
  std::string weight_column;                     // empty: weight
  std::string position_column;                   // empty: position
  std::string host_column;                       // empty: host
  std::int64_t first_feature = 1;                // LETOR: the lowest feature id, 1 or 0
  std::int64_t max_line_bytes = std::int64_t{64} << 20;
  std::int64_t max_features = 1'000'000;
  std::int64_t max_unpacked_bytes = 0;  // of a compressed file; 0: half of the machine's memory
  std::string categorical;              // columns that are categories: names or numbers, "brand,7"
  std::string ignore;                   // columns that are not read, the same way
  std::string schema;                   // a JSON file that says the same
  // What a model needs: said of columns that the file has, unless users say something else.
  std::vector<std::pair<std::string, FeatureType>> expected = {};
};
const OptionTable<ReadOptions>& read_option_table();

// Throws an Error with file and line on anything malformed. Rows of a query that are not contiguous
// are regrouped, and the observer is told. Beside LETOR text the side files of LightGBM and XGBoost
// are read where they exist: FILE.query or FILE.group (sizes, for rows without a qid), FILE.weight,
// FILE.position.
Dataset read_dataset(const std::string& path, const ReadOptions& options, Context& context);

// This rank's share of the data; all ranks call it together. A path with `{rank}` in it names a
// file a rank. Otherwise every rank reads its part of the one file: a plain text is cut into byte
// ranges that begin where a query does, of a .podium file a range of queries is mapped. The shares,
// in rank order, are what one process would have read: the same width, names and storage. A qid
// whose rows are in two shares is refused.
Dataset read_share(const std::string& path, const ReadOptions& options, Context& context);
// With the rank's number for `{rank}`.
std::string path_of_rank(std::string path, int rank);

// Rows in document order, query by query. What the format cannot carry, the observer is told.
// Weights and positions go into side files beside LETOR text.
void write_dataset(const Dataset& data, const std::string& path, Context& context);

// One number a line, in the row order of the data's file; returned in document order.
std::vector<double> read_scores(const std::string& path, const Dataset& data);
// The share's part of a file with scores of all ranks' rows, or a whole file a rank (`{rank}`).
std::vector<double> read_scores_share(const std::string& path, const Dataset& share,
                                      Context& context);
void write_scores(std::span<const double> scores, const Dataset& data, const std::string& path);

}  // namespace podium
