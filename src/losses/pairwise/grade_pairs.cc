#include "losses/pairwise/grade_pairs.h"

#include <algorithm>
#include <numeric>

#include "losses/lambda/pair_weights.h"

namespace podium {
namespace {

// Pairs of different grades in a descending list.
double count_pairs(std::span<const std::uint32_t> order, std::span<const float> labels) {
  double pairs = 0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && labels[order[end]] == labels[order[begin]]) ++end;
    pairs += static_cast<double>(end - begin) * static_cast<double>(order.size() - end);
  }
  return pairs;
}

}  // namespace

GradePairs::GradePairs(const Dataset& data, PairWeight weight, PairScale scale)
    : data_(data), weight_(weight), order_(data.documents()) {
  scale_.reserve(data.queries());
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    const auto order = std::span(order_).subspan(data.begin(q), labels.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return labels[a] > labels[b]; });
    const double pairs = count_pairs(order, labels);
    const double divisor = scale == PairScale::average ? pairs : 1;
    scale_.push_back(pairs > 0 ? data.query_weight(q) / divisor : 0);
  }
}

GradePairs::Rows::Rows(const GradePairs& pairs, std::size_t q, PairArrays& arrays)
    : arrays_(arrays),
      weights_(pairs.data_.document_weights(q)),
      kind_(pairs.weight_),
      pivots_(arrays.documents()) {
  const auto grades = arrays.grades();
  while (pivots_ > 0 && grades[pivots_ - 1] == grades[arrays.documents() - 1]) --pivots_;
}

void GradePairs::Rows::row(std::size_t pivot, PairRow& row) {
  const bool enters = pivot == group_end_;
  if (enters) {
    const auto grades = arrays_.grades();
    while (group_end_ < arrays_.documents() && grades[group_end_] == grades[pivot]) ++group_end_;
  }
  if (enters || !weights_.empty()) fill_weights(pivot);
  row.begin = block_begin(group_end_);
  row.weight = arrays_.weight().data();
}

void GradePairs::Rows::fill_weights(std::size_t pivot) {
  const auto grades = arrays_.grades();
  const auto weight = arrays_.weight();
  std::fill(weight.begin(), weight.end(), 0.0);
  for (std::size_t j = group_end_; j < arrays_.documents(); ++j)
    weight[j] = kind_ == PairWeight::one ? 1 : grades[pivot] - grades[j];
  if (weights_.empty()) return;
  const double own = weights_[arrays_.document(pivot)];
  for (std::size_t j = group_end_; j < arrays_.documents(); ++j)
    weight[j] *= own * weights_[arrays_.document(j)];
}

}  // namespace podium
