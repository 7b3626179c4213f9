#include "data/formats/encode_categories.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/text_scan.h"
#include "distributed/gathered.h"
#include "podium/error.h"

namespace podium {
namespace {

// The values in a rank's category columns.
struct TextCategories {
  std::string file;
  std::vector<std::uint32_t> columns;
  std::vector<std::vector<std::string>> values;  // sorted, one list per column

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.file, self.columns, self.values);
  }
};

void sort_values(std::vector<std::string>& values) {
  std::sort(values.begin(), values.end(), category_precedes);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

TextCategories categories_of(const std::vector<RowPiece>& pieces, const RowContext& around,
                             ThreadPool& pool) {
  TextCategories mine{around.file, around.categories, {}};
  mine.values.resize(mine.columns.size());
  pool.run(mine.columns.size(), [&](std::size_t c) {
    std::vector<std::string>& all = mine.values[c];
    for (const RowPiece& piece : pieces) {
      if (piece.categories.empty()) continue;
      const PieceCategories& of_piece = piece.categories[c];
      all.insert(all.end(), of_piece.values.begin(), of_piece.values.end());
      if (of_piece.has_zero) all.emplace_back("0");
    }
    sort_values(all);
  });
  return mine;
}

std::string name_of_column(const RowContext& around, std::uint32_t column) {
  return column < around.feature_names.size() ? around.feature_names[column]
                                              : std::to_string(column + around.first_feature);
}

std::vector<FeatureSchema::Category> merge_ranks(const TextCategories& mine,
                                                 const RowContext& around, Communicator& comm) {
  std::vector<TextCategories> all = gathered(mine, comm);
  for (const TextCategories& rank : all)
    if (rank.columns != all[0].columns)
      throw Error(ErrorCode::data,
                  fmt::format("its columns of categories are not those of {}: all ranks need the "
                              "same columns, in the same order",
                              all[0].file),
                  {rank.file});
  std::vector<FeatureSchema::Category> merged;
  for (std::size_t c = 0; c < mine.columns.size(); ++c) {
    std::vector<std::string> values = std::move(all[0].values[c]);
    for (std::size_t r = 1; r < all.size(); ++r)
      values.insert(values.end(), all[r].values[c].begin(), all[r].values[c].end());
    if (all.size() > 1) sort_values(values);
    if (values.size() > kMostCategories)
      throw Error(ErrorCode::data,
                  fmt::format("'{0}' has more than {1} categories; ‹ignore {0}› leaves it out",
                              name_of_column(around, mine.columns[c]), kMostCategories),
                  {around.file});
    merged.push_back({mine.columns[c], make_strings(values)});
  }
  return merged;
}

// By the numbers within a piece.
std::vector<float> codes_of(const PieceCategories& piece, const Strings& values) {
  std::vector<float> codes = {0};
  for (const std::string& value : piece.values)
    codes.push_back(static_cast<float>(*find_category(values, value)));
  return codes;
}

}  // namespace

bool means_missing(std::string_view field) {
  if (field.empty() || field == "NA") return true;
  if (field.size() > 4) return false;
  std::string padded(field);
  padded += '\n';
  padded.append(8, '\0');
  const FloatScan scan = scan_float(padded.data());
  return scan.status == ScanStatus::missing && scan.end == padded.data() + field.size();
}

std::vector<FeatureSchema::Category> encode_categories(std::vector<RowPiece>& pieces,
                                                       const RowContext& around, Context& context) {
  // Ranks have the same options, so either all or none have category columns.
  if (around.categories.empty()) return {};
  const auto merged =
      merge_ranks(categories_of(pieces, around, context.pool), around, context.comm);
  context.pool.run(pieces.size(), [&](std::size_t p) {
    RowPiece& piece = pieces[p];
    if (piece.categories.empty()) return;
    for (std::size_t c = 0; c < merged.size(); ++c)
      piece.recode(merged[c].feature, codes_of(piece.categories[c], merged[c].values));
    piece.recount(around.absent);
    piece.categories = {};
  });
  return merged;
}

}  // namespace podium
