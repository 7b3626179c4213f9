#include "data/shares/storage.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "data/formats/row_piece.h"
#include "data/shares/common_categories.h"
#include "distributed/gathered.h"
#include "podium/error.h"

namespace podium {
namespace {

struct Storage {
  std::string file;
  std::uint64_t documents = 0;
  std::vector<std::string> names;
  bool dense = true;
  bool absent_is_missing = false;

  bool is_like(const Storage& other) const {
    return names == other.names && dense == other.dense &&
           absent_is_missing == other.absent_is_missing;
  }
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.file, self.documents, self.names, self.dense, self.absent_is_missing);
  }
};

// Numbered features of a narrower file correspond to the first ones of a wider file.
void check_names(const std::vector<std::string>& wide, const Storage& rank,
                 const std::string& wide_file) {
  const bool begins_alike = std::equal(rank.names.begin(), rank.names.end(), wide.begin());
  const auto is_number = [](const std::string& name) {
    return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (begins_alike &&
      (rank.names.size() == wide.size() || std::all_of(wide.begin(), wide.end(), is_number)))
    return;
  throw Error(
      ErrorCode::data,
      fmt::format(
          "its features differ from those of {}: all ranks need the same, in the same order",
          wide_file),
      {rank.file});
}

template <class Use>
void for_each_value(const Dataset& data, std::size_t document, std::vector<float>& row, Use&& use) {
  data.rows(document, document + 1).copy(0, row);
  for (std::size_t f = 0; f < row.size(); ++f)
    if (!is_absent(row[f], data.parts().absent)) use(static_cast<std::uint32_t>(f), row[f]);
}

std::uint64_t count_stored(const Dataset& data) {
  std::uint64_t count = 0;
  std::vector<float> row(data.features());
  for (std::size_t d = 0; d < data.documents(); ++d)
    for_each_value(data, d, row, [&](std::uint32_t, float) { ++count; });
  return count;
}

DatasetParts stored_sparse(const Dataset& data) {
  std::vector<std::uint64_t> row_begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values, row(data.features());
  for (std::size_t d = 0; d < data.documents(); ++d) {
    for_each_value(data, d, row, [&](std::uint32_t f, float value) {
      columns.push_back(f);
      values.push_back(value);
    });
    row_begin.push_back(columns.size());
  }
  DatasetParts parts = data.parts();
  parts.dense = {};
  parts.row_begin = std::move(row_begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
  return parts;
}

DatasetParts stored_dense(const Dataset& data, std::size_t features) {
  std::vector<float> dense(data.documents() * features, data.parts().absent);
  for (std::size_t d = 0; d < data.documents(); ++d)
    data.rows(d, d + 1).copy(0, std::span(dense).subspan(d * features, data.features()));
  DatasetParts parts = data.parts();
  parts.dense = std::move(dense);
  parts.row_begin = {};
  parts.columns = {};
  parts.values = {};
  return parts;
}

}  // namespace

Dataset with_common_storage(const Dataset& mine, const std::string& file, Context& context) {
  Communicator& comm = context.comm;
  const auto all = gathered(Storage{file, mine.documents(), mine.feature_names(), mine.is_dense(),
                                    std::isnan(mine.parts().absent)},
                            comm);
  if (std::all_of(all.begin(), all.end(), [&](const Storage& s) { return s.is_like(all[0]); }))
    return with_common_categories(mine, mine.features(), file, context);
  std::uint64_t documents = 0;
  const Storage* widest = &all[0];
  for (const Storage& rank : all) {
    documents += rank.documents;
    if (rank.names.size() > widest->names.size()) widest = &rank;
  }
  for (const Storage& rank : all) {
    check_names(widest->names, rank, widest->file);
    if (rank.absent_is_missing != all[0].absent_is_missing)
      throw Error(ErrorCode::data,
                  fmt::format("absent features are {} here and {} in {}: prepare all parts with "
                              "the same ‹absent›",
                              rank.absent_is_missing ? "missing" : "0",
                              rank.absent_is_missing ? "0" : "missing", all[0].file),
                  {rank.file});
  }
  auto stored = static_cast<std::int64_t>(count_stored(mine));
  comm.all_reduce_sum(std::span(&stored, 1));
  const std::size_t features = widest->names.size();
  const bool sparse = sparse_is_better(static_cast<std::size_t>(stored), documents, features);
  DatasetParts parts = sparse ? stored_sparse(mine) : stored_dense(mine, features);
  parts.features = features;
  parts.feature_names = widest->names;
  return with_common_categories(Dataset(std::move(parts)), mine.features(), file, context);
}

}  // namespace podium
