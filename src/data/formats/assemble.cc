#include "data/formats/assemble.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/counted.h"
#include "data/formats/document_arrays.h"
#include "data/formats/encode_categories.h"
#include "data/formats/group_rows.h"
#include "data/shares/text_over_ranks.h"
#include "distributed/gathered.h"
#include "distributed/on_every_rank.h"
#include "podium/error.h"

namespace podium {
namespace {

using Pieces = std::vector<RowPiece>;

// One number per document, collected from the pieces.
template <class T>
std::vector<T> gather(const Pieces& pieces, const Grouping& groups, std::size_t documents,
                      std::vector<T> RowPiece::*part) {
  std::vector<T> all;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const std::vector<T>& values = pieces[p].*part;
    if (values.empty()) continue;
    all.resize(documents);
    for_each_run(pieces[p], groups.run_begin[p],
                 [&](std::size_t row, std::size_t document, std::size_t rows) {
                   std::copy_n(values.data() + row, rows, all.data() + document);
                 });
  }
  return all;
}

// The sizes of the groups that begin among this rank's rows.
std::vector<std::uint64_t> held_sizes(const RowContext& around, const TextOverRanks& text,
                                      std::size_t documents) {
  const std::vector<std::uint64_t>& all = *around.query_sizes;
  const bool shared = around.spread == Spread::one_file;
  const std::size_t rows = shared ? text.documents() : documents;
  const auto sum = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
  if (sum != rows)
    throw Error(ErrorCode::data,
                fmt::format("the groups' sizes add up to {}, but {} has {}", sum, around.file,
                            counted(rows, "row")),
                {around.side_files.sizes});
  if (!shared) return all;
  std::vector<std::uint64_t> held;
  std::uint64_t begin = 0;
  for (const std::uint64_t size : all) {
    if (begin >= text.documents_before() && begin < text.documents_before() + documents)
      held.push_back(size);
    begin += size;
  }
  return held;
}

// This rank's queries, the number of queries before them, and of all queries.
struct Queries {
  Grouping groups;
  Holding held;
};
Queries group_rows(const Pieces& pieces, const RowContext& around, const TextOverRanks& text,
                   std::size_t documents, Context& context) {
  std::optional<std::vector<std::uint64_t>> sizes;
  Queries out;
  on_every_rank(context.comm, [&] {
    if (text.rows_carry_qids())
      out.groups =
          group_by_qid(pieces, around.spread == Spread::one_file ? text.documents_before() : 0);
    else
      sizes = held_sizes(around, text, documents);
  });
  out.held.count = sizes ? sizes->size() : out.groups.qids.size();
  const auto counts = gathered(out.held.count, context.comm);
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (r < static_cast<std::size_t>(context.comm.rank())) out.held.first += counts[r];
    out.held.all += counts[r];
  }
  if (sizes)
    out.groups = group_by_sizes(pieces, *sizes, out.held.first + 1);
  else if (around.query_sizes)
    context.observer.note(around.side_files.sizes + " is not used: the rows have a qid");
  const std::string note = out.groups.regrouped() ? around.file + ": " + out.groups.note : "";
  for (const std::string& of_rank : gathered(note, context.comm))
    if (!of_rank.empty()) context.observer.note(of_rank);
  return out;
}

// The row of the file that each document came from.
std::vector<std::uint64_t> input_rows(const Pieces& pieces, const Grouping& groups,
                                      std::size_t documents) {
  std::vector<std::uint64_t> rows_of(documents);
  std::uint64_t input = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p)
    for_each_run(pieces[p], groups.run_begin[p],
                 [&](std::size_t, std::size_t document, std::size_t rows) {
                   std::iota(rows_of.begin() + static_cast<std::ptrdiff_t>(document),
                             rows_of.begin() + static_cast<std::ptrdiff_t>(document + rows), input);
                   input += rows;
                 });
  return rows_of;
}

template <class T>
std::vector<T> in_document_order(std::vector<T> by_row, std::span<const std::uint64_t> rows) {
  if (rows.empty()) return by_row;
  std::vector<T> by_document(by_row.size());
  for (std::size_t d = 0; d < rows.size(); ++d) by_document[d] = by_row[rows[d]];
  return by_document;
}

// The weights of queries, each of which all rows of a query repeat.
std::vector<float> weights_of_queries(const std::vector<float>& by_document, const Grouping& groups,
                                      const RowContext& around) {
  std::vector<float> weights;
  for (std::size_t q = 0; !by_document.empty() && q < groups.qids.size(); ++q) {
    const auto first = by_document.begin() + static_cast<std::ptrdiff_t>(groups.query_begin[q]);
    const auto last = by_document.begin() + static_cast<std::ptrdiff_t>(groups.query_begin[q + 1]);
    const auto other = std::find_if(first, last, [&](float weight) { return weight != *first; });
    if (other != last)
      throw Error(ErrorCode::data,
                  fmt::format("query '{}' has the weights {} and {} in '{}': all rows of a query "
                              "must have the same one",
                              groups.qids[q], *first, *other, around.query_weight),
                  {around.file});
    weights.push_back(*first);
  }
  return weights;
}

// `documents` and `queries`: the part that this rank holds of the rows and queries in the side
// files.
void add_side_values(DatasetParts& parts, const RowContext& around, const Holding& documents,
                     const Holding& queries, Observer& observer) {
  const std::span<const std::uint64_t> rows = parts.input_rows.view();
  const SideFiles& side = around.side_files;
  if (!side.weights.empty()) {
    observer.note("weights are read from " + side.weights);
    SideWeights weights = read_side_weights(side.weights, around.file, documents, queries);
    if (!(parts.document_weights.empty() && parts.query_weights.empty()) &&
        !(weights.of_documents.empty() && weights.of_queries.empty()))
      throw Error(ErrorCode::data, "weights are given in the rows and in " + side.weights,
                  {around.file});
    if (!weights.of_documents.empty())
      parts.document_weights = in_document_order(std::move(weights.of_documents), rows);
    if (!weights.of_queries.empty()) parts.query_weights = std::move(weights.of_queries);
  }
  if (!side.positions.empty()) {
    observer.note("positions are read from " + side.positions);
    auto positions = read_side_positions(side.positions, around.file, documents);
    if (!positions.empty()) parts.positions = in_document_order(std::move(positions), rows);
  }
}

std::vector<std::string> numbered_names(std::size_t features, std::int64_t first) {
  std::vector<std::string> names;
  names.reserve(features);
  for (std::size_t f = 0; f < features; ++f)
    names.push_back(std::to_string(static_cast<std::int64_t>(f) + first));
  return names;
}

// Removes columns that no row mentions, if most are such columns, and names the others. Dense
// pieces have all columns up to their width.
void keep_mentioned(Pieces& pieces, RowContext& around) {
  std::vector<std::uint32_t> kept;
  std::size_t leading = 0, width = 0;
  for (const RowPiece& piece : pieces) {
    width = std::max(width, piece.width());
    if (piece.is_dense()) leading = std::max(leading, piece.width());
    const auto columns = piece.is_dense() ? std::span<const std::uint32_t>() : piece.columns();
    kept.insert(kept.end(), columns.begin(), columns.end());
  }
  const std::size_t named = kept.size();
  kept.resize(named + leading);
  std::iota(kept.begin() + static_cast<std::ptrdiff_t>(named), kept.end(), 0U);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  if (2 * kept.size() >= width) return;
  for (RowPiece& piece : pieces)
    if (!piece.is_dense()) piece.renumber(kept);
  for (const std::uint32_t column : kept)
    around.feature_names.push_back(std::to_string(column + around.first_feature));
}

}  // namespace

std::size_t count_lines_before(const RowContext& around) {
  return around.header_lines + static_cast<std::size_t>(std::count(around.text_before.begin(),
                                                                   around.text_before.end(), '\n'));
}

DatasetParts assemble(Pieces pieces, RowContext around, Context& context) {
  if (around.columns == Columns::mentioned && around.categories.empty())
    keep_mentioned(pieces, around);
  std::vector<FeatureSchema::Category> categories = encode_categories(pieces, around, context);
  const TextOverRanks text(pieces, around, context.comm);
  std::erase_if(categories, [&](const auto& one) { return one.feature >= text.features(); });
  std::size_t documents = 0;
  for (const RowPiece& piece : pieces) documents += piece.rows();
  const Queries queries = group_rows(pieces, around, text, documents, context);
  const Grouping& groups = queries.groups;

  DatasetParts parts;
  parts.features = text.features();
  parts.feature_names = around.feature_names.empty()
                            ? numbered_names(text.features(), around.first_feature)
                            : around.feature_names;
  parts.schema = FeatureSchema(std::move(categories), around.ignored);
  parts.query_begin = groups.query_begin;
  parts.qids = make_strings(groups.qids);
  parts.labels = gather(pieces, groups, documents, &RowPiece::labels);
  parts.document_weights = gather(pieces, groups, documents, &RowPiece::document_weights);
  parts.positions = gather(pieces, groups, documents, &RowPiece::position_values);
  if (groups.regrouped()) parts.input_rows = input_rows(pieces, groups, documents);
  on_every_rank(context.comm, [&] {
    parts.query_weights = weights_of_queries(
        gather(pieces, groups, documents, &RowPiece::query_weights), groups, around);
    if (around.spread == Spread::one_file)
      add_side_values(parts, around, {text.documents_before(), documents, text.documents()},
                      queries.held, context.observer);
    else
      add_side_values(parts, around, {0, documents, documents},
                      {0, queries.held.count, queries.held.count}, context.observer);
  });

  const bool gaps = around.columns == Columns::mentioned && !around.feature_names.empty();
  const FeatureArrays::Storage storage =
      gaps || sparse_is_better(text.stored(), text.documents(), text.features())
          ? FeatureArrays::Storage::sparse
          : FeatureArrays::Storage::dense;
  FeatureArrays arrays(pieces, groups, documents, text.features(), around.absent, storage,
                       context.pool);
  StringArrays docids(pieces, groups, documents, &RowPiece::docids);
  StringArrays hosts(pieces, groups, documents, &RowPiece::hosts);
  context.pool.run(pieces.size(), [&](std::size_t p) {
    arrays.fill(pieces[p], groups.run_begin[p]);
    docids.fill(pieces[p], groups.run_begin[p]);
    hosts.fill(pieces[p], groups.run_begin[p]);
    pieces[p] = RowPiece();
  });
  arrays.move_to(parts);
  parts.docids = docids.strings();
  parts.hosts = hosts.strings();
  return parts;
}

}  // namespace podium
