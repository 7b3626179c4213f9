#include "learners/structural/data_risk.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <fmt/format.h>

#include "models/document_sums.h"
#include "models/linear/linear.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kRiskQueryChunk = 8;
constexpr std::size_t kScoredRange = 4096;  // documents
constexpr double kRiskRounding = 1e-6;      // of a mean loss that is 0

}  // namespace

LossOnData::LossOnData(const Dataset& data_in, const Loss& loss, Context& context)
    : data(data_in),
      bound(loss.bind(data, context.comm)),
      has_bias(loss.traits().shift == LossTraits::Shift::sensitive),
      steps(IndicatorSteps::find(data, context)) {
  if (bound->link().outputs() > 1)
    throw Error(ErrorCode::usage, fmt::format("the loss {} needs several outputs per document, "
                                              "which only forests have: use a tree learner",
                                              loss.name()));
  ExactSum used;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    if (bound->informative(q))
      used += data.query_weight(q);
    else
      ++skipped;
  }
  const double weight = sum_over_ranks(used, context.comm);
  context.comm.all_reduce_sum(std::span(&skipped, 1));
  if (!(weight > 0))
    throw Error(ErrorCode::training,
                fmt::format("no query contributes to the loss {}: each lacks relevant or "
                            "non-relevant documents (see ‹relevant-from›) or has weight 0",
                            loss.name()));
  scale = 1 / weight;
}

Linear DataRisk::model(std::span<const double> w) const {
  return {{w.begin(), w.begin() + static_cast<std::ptrdiff_t>(on_.data.features())},
          on_.has_bias ? w.back() : 0.0};
}

void DataRisk::write_image(std::span<const double> w, std::vector<double>& out) {
  Linear at = model(w);
  if (on_.steps) at.weights = on_.steps->sums_up_to(at.weights);
  const Dataset& data = on_.steps ? on_.steps->steps() : on_.data;
  out.resize(data.documents());
  std::atomic<bool> overflow = false;
  parallel_for(context_.pool, out.size(), kScoredRange, [&](std::size_t begin, std::size_t end) {
    const auto scores = std::span(out).subspan(begin, end - begin);
    score_rows(at, data.rows(begin, end), scores);
    if (!std::all_of(scores.begin(), scores.end(), [](double s) { return std::isfinite(s); }))
      overflow = true;
  });
  if (on_any_rank(overflow, context_.comm))
    throw Error(ErrorCode::training,
                "the scores overflow: scale the features (‹normalize›) or lower C");
}

double DataRisk::evaluate(std::span<const double> z, std::span<double> slope) {
  const Dataset& data = on_.data;
  const StopCheck stop = stop_inside(context_);
  std::vector<double> values(data.queries());
  parallel_for(
      context_.pool, data.queries(), kRiskQueryChunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t q = begin; q < end; ++q) {
          stop();  // a pass has many evaluations
          const std::size_t at = data.begin(q), count = data.end(q) - at;
          const auto first = slope.subspan(at, count);
          values[q] = on_.scale * loss_.evaluate(q, z.subspan(at, count), {first, {}, stop});
          for (double& x : first) x *= on_.scale;
        }
      });
  const double risk = sum_over_ranks(values, context_.comm);
  if (risk < -kRiskRounding)
    throw Error(ErrorCode::training,
                "the loss is below 0 here, and cutting planes need one that never is (interval "
                "with a barrier is not such a loss): use another optimizer");
  return risk;
}

std::vector<double> DataRisk::pull_back(std::span<const double> slope) {
  auto sums = weighted_sum(on_.steps ? on_.steps->steps() : on_.data, slope, context_);
  if (on_.steps) sums = on_.steps->sums_from(std::move(sums));
  if (on_.has_bias) sums.push_back(sum_over_ranks(slope, context_.comm));
  return sums;
}

double DataRisk::inner(std::span<const double> slope, std::span<const double> z) {
  return inner_over_documents(on_.data, slope, z, context_);
}

}  // namespace podium
