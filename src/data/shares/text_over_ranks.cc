#include "data/shares/text_over_ranks.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "distributed/gathered.h"
#include "podium/error.h"

namespace podium {
namespace {

// What a rank sends to the others about its text.
struct Facts {
  std::string file;
  std::vector<std::string> names;
  std::string sizes_file;
  bool has_sizes = false;
  std::uint64_t pieces = 0, documents = 0, features = 0, stored = 0, lines = 0, header_lines = 0;
  Presence qids, weights, positions;  // line numbers within this rank's text

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.file, self.names, self.sizes_file, self.has_sizes, self.pieces, self.documents,
            self.features, self.stored, self.lines, self.header_lines);
    for (auto* presence : {&self.qids, &self.weights, &self.positions})
      archive(presence->first_with, presence->first_without);
  }
};

void add(Presence& all, const Presence& piece, std::size_t lines) {
  if (piece.first_with) all.see_with(lines + piece.first_with);
  if (piece.first_without) all.see_without(lines + piece.first_without);
}

Facts facts_of(const std::vector<RowPiece>& pieces, const RowContext& around) {
  Facts facts;
  facts.file = around.file;
  facts.names = around.feature_names;
  facts.sizes_file = around.side_files.sizes;
  facts.has_sizes = around.query_sizes.has_value();
  facts.pieces = pieces.size();
  facts.features = around.features;
  facts.header_lines = around.header_lines;
  for (const RowPiece& piece : pieces) {
    facts.documents += piece.rows();
    facts.features = std::max<std::uint64_t>(facts.features, piece.width());
    facts.stored += piece.stored();
    add(facts.qids, piece.qids, facts.lines);
    add(facts.weights, piece.weights, facts.lines);
    add(facts.positions, piece.positions, facts.lines);
    facts.lines += piece.lines;
  }
  return facts;
}

// The first positions, over all ranks, with and without an optional part.
struct FirstPlaces {
  std::optional<Place> with, without;
  bool with_comes_first = false;

  FirstPlaces(const std::vector<Facts>& all, Presence Facts::*part, Spread spread) {
    std::size_t lines = all[0].header_lines;
    for (const Facts& facts : all) {
      if (spread == Spread::file_a_rank) lines = facts.header_lines;
      const Presence& here = facts.*part;
      const bool first =
          here.first_with != 0 && (here.first_without == 0 || here.first_with < here.first_without);
      if (!with && !without) with_comes_first = first;
      if (here.first_with && !with) with = Place{facts.file, lines + here.first_with};
      if (here.first_without && !without) without = Place{facts.file, lines + here.first_without};
      lines += facts.lines;
    }
  }
};

// Either every row or no row has an optional part.
void check_all_or_none(const FirstPlaces& places, std::string_view what) {
  if (!places.with || !places.without) return;
  const Place& first = places.with_comes_first ? *places.with : *places.without;
  const Place& other = places.with_comes_first ? *places.without : *places.with;
  throw Error(ErrorCode::data,
              fmt::format("this row has {} {}, unlike {}: give every row one, or none",
                          places.with_comes_first ? "no" : "a", what,
                          first.file == other.file ? fmt::format("line {}", first.line)
                                                   : fmt::format("{}:{}", first.file, first.line)),
              other);
}

// Rows without qids are grouped by the sizes in side files.
void check_sizes_known(const std::vector<Facts>& all, const FirstPlaces& qids) {
  for (const Facts& facts : all)
    if (facts.documents > 0 && !facts.has_sizes)
      throw Error(
          ErrorCode::data,
          fmt::format("no qid: write `qid:ID` after the label, or put the group sizes into {}",
                      facts.sizes_file),
          facts.file == qids.without->file ? *qids.without : Place{facts.file});
}

void check_names(const std::vector<Facts>& all) {
  for (const Facts& facts : all)
    if (facts.names != all[0].names)
      throw Error(ErrorCode::data,
                  fmt::format("its features differ from those of {}: all ranks need the same "
                              "columns, in the same order",
                              all[0].file),
                  {facts.file});
}

}  // namespace

TextOverRanks::TextOverRanks(const std::vector<RowPiece>& mine, const RowContext& around,
                             Communicator& comm) {
  const std::vector<Facts> all = gathered(facts_of(mine, around), comm);
  bool any_text = false;
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (r == static_cast<std::size_t>(comm.rank())) documents_before_ = documents_;
    documents_ += all[r].documents;
    features_ = std::max<std::size_t>(features_, all[r].features);
    stored_ += all[r].stored;
    any_text |= all[r].pieces != 0;
  }
  if (documents_ == 0)
    throw Error(ErrorCode::data, any_text ? "the file holds no rows" : "the file is empty",
                {all[0].file});
  check_names(all);
  check_all_or_none(FirstPlaces(all, &Facts::weights, around.spread), "weight");
  check_all_or_none(FirstPlaces(all, &Facts::positions, around.spread), "position");
  const FirstPlaces qids(all, &Facts::qids, around.spread);
  check_all_or_none(qids, "qid");
  rows_carry_qids_ = qids.with.has_value();
  if (!rows_carry_qids_) check_sizes_known(all, qids);
}

}  // namespace podium
