#include "experiments/automatic/judging.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/counted.h"
#include "podium/error.h"
#include "podium/split.h"

namespace podium {

namespace {

constexpr std::size_t kLeastPart = 4;  // queries, when one fold is all that judges

std::vector<std::vector<std::size_t>> parts_of(const Dataset& data, std::size_t parts,
                                               std::uint64_t seed) {
  return split_queries(data, std::vector<double>(parts, 1.0), seed);
}

}  // namespace

Judging::Judging(const Dataset& train, const Dataset* valid, std::size_t folds, Context& context)
    : train_(train), seed_(context.seed), data_(valid ? *valid : train) {
  if (data_.queries() < folds)
    throw Error(ErrorCode::data,
                fmt::format("{} cannot be dealt to {} folds to judge by: 3 (‹folds›) are the least",
                            counted(data_.queries(), "query", "queries"), folds));
  if (valid) {
    const auto parts = split_queries(train, {5, 1}, context.seed);
    splits_.push_back(std::make_unique<PreparedFold>(
        FoldData{select_queries(train, parts[0]), select_queries(train, parts[1]), data_}));
    queries_ = parts_of(data_, folds, context.seed);
  } else {
    folds_ = make_folds(train, static_cast<int>(folds), context.seed);
    splits_.resize(folds);
    for (const Fold& fold : folds_) queries_.push_back(fold.test);
  }
  place_queries();
}

void Judging::place_queries() {
  places_.assign(data_.queries(), {});
  if (splits_.size() == 1) {
    for (std::size_t q = 0; q < places_.size(); ++q) places_[q] = {0, q};
    return;
  }
  for (std::size_t s = 0; s < folds_.size(); ++s)
    for (std::size_t i = 0; i < folds_[s].test.size(); ++i) places_[folds_[s].test[i]] = {s, i};
}

bool Judging::can_judge_by_first_fold() const {
  return splits_.size() > 1 && folds_[0].test.size() >= kLeastPart * folds();
}

void Judging::judge_by_first_fold() {
  data_ = split(0).data().test;
  splits_.resize(1);
  queries_ = parts_of(data_, folds(), seed_);
  place_queries();
}

PreparedFold& Judging::split(std::size_t s) const {
  const std::scoped_lock lock(mutex_);
  if (!splits_[s])
    splits_[s] = std::make_unique<PreparedFold>(FoldData{select_queries(train_, folds_[s].train),
                                                         select_queries(train_, folds_[s].valid),
                                                         select_queries(train_, folds_[s].test)});
  return *splits_[s];
}

double Judging::all_to_fold() const {
  return static_cast<double>(train_.documents()) /
         static_cast<double>(std::max<std::size_t>(1, split(0).data().train.documents()));
}

Dataset Judging::outside(std::size_t s) const {
  std::vector<std::size_t> queries = folds_[s].train;
  queries.insert(queries.end(), folds_[s].valid.begin(), folds_[s].valid.end());
  std::sort(queries.begin(), queries.end());
  return select_queries(train_, queries);
}

double Judging::outside_to_fold(std::size_t s) const {
  const FoldData& data = split(s).data();
  const auto trained = static_cast<double>(data.train.documents());
  return (trained + static_cast<double>(data.valid.documents())) / std::max(1.0, trained);
}

std::vector<std::size_t> Judging::splits_of(const std::vector<std::size_t>& folds) const {
  std::set<std::size_t> out;
  for (const std::size_t fold : folds) out.insert(split_of(fold));
  return {out.begin(), out.end()};
}

std::vector<std::size_t> Judging::queries(const std::vector<std::size_t>& folds) const {
  std::vector<std::size_t> out;
  for (const std::size_t fold : folds)
    out.insert(out.end(), queries_[fold].begin(), queries_[fold].end());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace podium
