#include "data/assemble.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "data/document_arrays.h"
#include "data/group_rows.h"
#include "podium/error.h"

namespace podium {
namespace {

using Pieces = std::vector<RowPiece>;

// The first lines, in the file, with and without an optional part.
Presence presence_in_file(const Pieces& pieces, Presence RowPiece::*part, std::size_t lines) {
  Presence all;
  for (const RowPiece& piece : pieces) {
    const Presence& here = piece.*part;
    if (here.first_with) all.see_with(lines + here.first_with);
    if (here.first_without) all.see_without(lines + here.first_without);
    lines += piece.lines;
  }
  return all;
}

// Every row has an optional part, or none has.
void check_all_or_none(const Presence& presence, std::string_view what, const std::string& file) {
  if (presence.first_with == 0 || presence.first_without == 0) return;
  const bool without_later = presence.first_without > presence.first_with;
  throw Error(ErrorCode::data,
              fmt::format("this row has {} {}, unlike line {}: give every row one, or none",
                          without_later ? "no" : "a", what,
                          std::min(presence.first_with, presence.first_without)),
              {file, std::max(presence.first_with, presence.first_without)});
}

// One number a document, from all pieces that have them.
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

Grouping group_rows(const Pieces& pieces, const Surroundings& around, std::size_t documents,
                    Observer& observer) {
  const Presence qids = presence_in_file(pieces, &RowPiece::qids, around.lines_before);
  check_all_or_none(qids, "qid", around.file);
  if (qids.first_with) {
    if (around.query_sizes) observer.note(around.sizes_file + " is not used: the rows carry a qid");
    return group_by_qid(pieces);
  }
  if (!around.query_sizes)
    throw Error(
        ErrorCode::data,
        fmt::format("no qid: write `qid:ID` behind the label, or put the groups' sizes into {}",
                    around.sizes_file),
        {around.file, qids.first_without});
  const auto sum =
      std::accumulate(around.query_sizes->begin(), around.query_sizes->end(), std::uint64_t{0});
  if (sum != documents)
    throw Error(ErrorCode::data,
                fmt::format("the groups' sizes add up to {}, but {} has {} rows", sum, around.file,
                            documents),
                {around.sizes_file});
  return group_by_sizes(pieces, *around.query_sizes);
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

void add_side_values(DatasetParts& parts, Surroundings& around, std::size_t documents) {
  const auto rows = parts.input_rows.view();
  const std::size_t queries = parts.qids.size();
  const auto mismatch = [&](std::size_t given, std::string_view allowed, const std::string& side) {
    return Error(ErrorCode::data,
                 fmt::format("holds {} numbers, but {} has {}", given, around.file, allowed),
                 {side});
  };
  if (!around.weights.empty()) {
    if (!parts.document_weights.empty())
      throw Error(ErrorCode::data, "weights are given in the rows and in " + around.weights_file,
                  {around.file});
    if (around.weights.size() == documents)
      parts.document_weights = in_document_order(std::move(around.weights), rows);
    else if (around.weights.size() == queries)
      parts.query_weights = std::move(around.weights);
    else
      throw mismatch(around.weights.size(),
                     fmt::format("{} rows and {} queries", documents, queries),
                     around.weights_file);
  }
  if (!around.positions.empty()) {
    if (around.positions.size() != documents)
      throw mismatch(around.positions.size(), fmt::format("{} rows", documents),
                     around.positions_file);
    parts.positions = in_document_order(std::move(around.positions), rows);
  }
}

std::vector<std::string> numbered_names(std::size_t features, std::int64_t first) {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < features; ++f)
    names.push_back(std::to_string(static_cast<std::int64_t>(f) + first));
  return names;
}

}  // namespace

DatasetParts assemble(Pieces pieces, Surroundings around, Context& context) {
  std::size_t documents = 0, features = around.features;
  for (const RowPiece& piece : pieces) {
    documents += piece.rows();
    features = std::max(features, piece.width());
  }
  if (documents == 0)
    throw Error(ErrorCode::data, pieces.empty() ? "the file is empty" : "the file holds no rows",
                {around.file});
  const auto check = [&](Presence RowPiece::*part, std::string_view what) {
    check_all_or_none(presence_in_file(pieces, part, around.lines_before), what, around.file);
  };
  check(&RowPiece::weights, "weight");
  check(&RowPiece::positions, "position");
  const Grouping groups = group_rows(pieces, around, documents, context.observer);
  if (groups.regrouped()) context.observer.note(around.file + ": " + groups.note);

  DatasetParts parts;
  parts.features = features;
  parts.feature_names = around.feature_names.empty()
                            ? numbered_names(features, around.first_feature)
                            : std::move(around.feature_names);
  parts.query_begin = groups.query_begin;
  parts.qids = make_strings(groups.qids);
  parts.labels = gather(pieces, groups, documents, &RowPiece::labels);
  parts.document_weights = gather(pieces, groups, documents, &RowPiece::document_weights);
  parts.positions = gather(pieces, groups, documents, &RowPiece::position_values);
  if (groups.regrouped()) parts.input_rows = input_rows(pieces, groups, documents);
  add_side_values(parts, around, documents);

  FeatureArrays arrays(pieces, groups, documents, features, around.absent, context.pool);
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
