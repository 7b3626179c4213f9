#include "experiments/automatic/judging.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "podium/error.h"
#include "podium/split.h"

namespace podium {

Judging::Judging(const Dataset& train, const Dataset* valid, std::size_t folds, Context& context)
    : data_(valid ? *valid : train), places_(data_.queries()) {
  if (data_.queries() < folds)
    throw Error(ErrorCode::data, "there are fewer queries than folds to judge by");
  if (!valid) {
    for (const Fold& fold : make_folds(train, static_cast<int>(folds), context.seed)) {
      add_split({select_queries(train, fold.train), select_queries(train, fold.valid),
                 select_queries(train, fold.test)},
                fold.test);
      queries_.push_back(fold.test);
    }
    return;
  }
  const auto parts = split_queries(train, {5, 1}, context.seed);
  std::vector<std::size_t> all(data_.queries());
  std::iota(all.begin(), all.end(), std::size_t{0});
  add_split({select_queries(train, parts[0]), select_queries(train, parts[1]), data_}, all);
  queries_ = split_queries(data_, std::vector<double>(folds, 1.0), context.seed);
}

void Judging::add_split(FoldData data, const std::vector<std::size_t>& test) {
  for (std::size_t i = 0; i < test.size(); ++i) places_[test[i]] = {splits_.size(), i};
  splits_.push_back({std::make_unique<PreparedFold>(std::move(data))});
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
