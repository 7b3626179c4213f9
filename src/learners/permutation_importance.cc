#include "learners/permutation_importance.h"

#include <numeric>

#include "core/random.h"

namespace podium {
namespace {

constexpr std::size_t kQueryChunk = 16;

// The data with feature f shuffled within queries, dense.
Dataset shuffled(const Dataset& data, std::vector<float> dense, std::size_t f, std::uint64_t seed,
                 ThreadPool& pool) {
  const std::size_t d = data.features();
  parallel_for(pool, data.queries(), kQueryChunk, [&](std::size_t begin, std::size_t end) {
    std::vector<float> column;
    for (std::size_t q = begin; q < end; ++q) {
      column.clear();
      for (std::size_t i = data.begin(q); i < data.end(q); ++i) column.push_back(dense[i * d + f]);
      Random(seed, hash_text(data.qid(q))).shuffle(std::span(column));
      for (std::size_t i = data.begin(q); i < data.end(q); ++i)
        dense[i * d + f] = column[i - data.begin(q)];
    }
  });
  DatasetParts parts = data.parts();
  parts.dense = std::move(dense);
  parts.row_begin = {};
  parts.columns = {};
  parts.values = {};
  return Dataset(std::move(parts));
}

std::vector<float> dense_copy(const Dataset& data, ThreadPool& pool) {
  std::vector<float> dense(data.documents() * data.features());
  parallel_for(pool, data.queries(), kQueryChunk, [&](std::size_t begin, std::size_t end) {
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
    return evaluate(measure, convention, some, score(model, some, context.pool), context);
  };
  const double intact = value_on(data);
  const std::vector<float> dense = dense_copy(data, context.pool);
  const std::vector<double> used = split_counts(model);
  std::vector<double> loss(data.features());
  for (std::size_t f = 0; f < loss.size(); ++f) {
    if (used[f] == 0) continue;
    double sum = 0;
    for (int repeat = 0; repeat < repeats; ++repeat)
      sum += value_on(shuffled(
          data, dense, f, mix(context.seed + static_cast<std::uint64_t>(repeat), f), context.pool));
    loss[f] = intact - sum / repeats;
    context.observer.iteration({static_cast<std::int64_t>(f + 1),
                                static_cast<std::int64_t>(loss.size()),
                                {{"importance", loss[f]}}});
  }
  return loss;
}

}  // namespace podium
