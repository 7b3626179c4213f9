#include "learners/permutation_importance.h"

#include <algorithm>
#include <numeric>

#include "core/overloaded.h"
#include "core/random.h"

namespace podium {
namespace {

constexpr std::size_t kPermutedQueryChunk = 16;

// Shuffles feature f within queries.
void shuffle(const Dataset& data, std::vector<float>& dense, std::size_t f, std::uint64_t seed,
             ThreadPool& pool) {
  const std::size_t d = data.features();
  parallel_for(pool, data.queries(), kPermutedQueryChunk, [&](std::size_t begin, std::size_t end) {
    std::vector<float> column;
    for (std::size_t q = begin; q < end; ++q) {
      column.clear();
      for (std::size_t i = data.begin(q); i < data.end(q); ++i) column.push_back(dense[i * d + f]);
      Random(seed, hash_text(data.qid(q))).shuffle(std::span(column));
      for (std::size_t i = data.begin(q); i < data.end(q); ++i)
        dense[i * d + f] = column[i - data.begin(q)];
    }
  });
}

// The data with these dense features, which the caller may still change.
Dataset with_features(const Dataset& data, const std::shared_ptr<std::vector<float>>& dense) {
  DatasetParts parts = data.parts();
  parts.dense = Buffer<float>(std::span<const float>(*dense), dense);
  parts.row_begin = {};
  parts.columns = {};
  parts.values = {};
  return Dataset(std::move(parts));
}

bool adds_feature(const Model& model, std::size_t f);
bool any_member_adds(const Blend& blend, std::size_t f) {
  return std::any_of(blend.members.begin(), blend.members.end(), [&](const BlendMember& member) {
    const auto& names = member.saved.features;
    const auto found = std::find(names.begin(), names.end(), blend.features[f]);
    return found != names.end() && member.saved.normalization.thresholds.empty() &&
           adds_feature(member.saved.model, static_cast<std::size_t>(found - names.begin()));
  });
}

// Whether the model adds the feature to the score, apart from weights and splits.
bool adds_feature(const Model& model, std::size_t f) {
  return std::visit(Overloaded{[](const Linear&) { return false; },
                               [f](const Forest& forest) { return forest.offset_feature == f; },
                               [](const Mlp&) { return false; },
                               [f](const Blend& blend) { return any_member_adds(blend, f); }},
                    model);
}

bool uses_feature(const Model& model, std::span<const double> splits, std::size_t f) {
  return splits[f] > 0 || adds_feature(model, f);
}

std::vector<float> dense_copy(const Dataset& data, ThreadPool& pool) {
  std::vector<float> dense(data.documents() * data.features());
  parallel_for(pool, data.queries(), kPermutedQueryChunk, [&](std::size_t begin, std::size_t end) {
    const Rows rows = data.rows(data.begin(begin), data.end(end - 1));
    for (std::size_t i = 0; i < rows.documents(); ++i)
      rows.copy(
          i, std::span(dense).subspan((data.begin(begin) + i) * data.features(), data.features()));
  });
  return dense;
}

}  // namespace

std::vector<double> permutation_importance(const Model& model, const Dataset& data,
                                           const MeasurePtr& measure, const Convention& convention,
                                           int repeats, Context& context) {
  const auto value_on = [&](const Dataset& some) {
    return evaluate(measure, convention, some, score(model, some, context), context);
  };
  const double intact = value_on(data);
  const std::vector<float> intact_features = dense_copy(data, context.pool);
  const auto features = std::make_shared<std::vector<float>>(intact_features);
  const Dataset shuffled = with_features(data, features);
  const std::vector<double> splits = split_counts(model);
  std::vector<double> loss(data.features());
  for (std::size_t f = 0; f < loss.size(); ++f) {
    if (!uses_feature(model, splits, f)) continue;
    double sum = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      shuffle(data, *features, f, mix(context.seed + static_cast<std::uint64_t>(repeat), f),
              context.pool);
      sum += value_on(shuffled);
    }
    for (std::size_t i = f; i < features->size(); i += loss.size())
      (*features)[i] = intact_features[i];
    loss[f] = intact - sum / repeats;
    context.observer.iteration({static_cast<std::int64_t>(f + 1),
                                static_cast<std::int64_t>(loss.size()),
                                {{"importance", loss[f]}}});
  }
  return loss;
}

}  // namespace podium
