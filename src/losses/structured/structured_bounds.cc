#include "losses/structured/structured_bounds.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace podium {
namespace {

double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Returns H and writes −c(ŷ) to `first`.
double hinge(const RankingOracle& oracle, const OracleQuery& query, std::span<const double> scores,
             std::span<double> first) {
  const double delta = oracle.most_violated(query, scores, first);
  const double value = delta - inner(first, scores);
  for (double& c : first) c = -c;
  return value;
}

std::uint32_t best_scored(std::span<const std::uint32_t> documents,
                          std::span<const double> scores) {
  return *std::max_element(documents.begin(), documents.end(),
                           [&](std::uint32_t a, std::uint32_t b) { return scores[a] < scores[b]; });
}

// Applies query weights; a query that does not contribute gives 0.
class StructuredBound : public BoundLoss {
 public:
  explicit StructuredBound(std::shared_ptr<const StructuredQueries> queries)
      : queries_(std::move(queries)) {}

  bool informative(std::size_t q) const final { return queries_->informative(q); }
  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const final {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    if (!informative(q)) return 0;
    OracleQuery query = queries_->query(q);
    query.stop = out.stop;
    const double value = bound(q, query, scores, out.first);
    const double weight = queries_->data().query_weight(q);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      out.first[i] *= weight;
      if (!out.second.empty()) out.second[i] = std::abs(out.first[i]);
    }
    return weight * value;
  }

 protected:
  virtual double bound(std::size_t q, const OracleQuery& query, std::span<const double> scores,
                       std::span<double> first) const = 0;
  const RankingOracle& oracle() const noexcept { return queries_->oracle(); }
  bool topmost_only() const noexcept { return oracle().goods() == RankingOracle::Goods::topmost; }

  std::shared_ptr<const StructuredQueries> queries_;
};

class HingeBound final : public StructuredBound {
 public:
  using StructuredBound::StructuredBound;

 protected:
  double bound(std::size_t, const OracleQuery& query, std::span<const double> scores,
               std::span<double> first) const override {
    return hinge(oracle(), query, scores, first);
  }
};

// The convex bound on the ramp that touches it at given scores.
class FrozenRamp final : public StructuredBound {
 public:
  FrozenRamp(std::shared_ptr<const StructuredQueries> queries, std::span<const double> scores)
      : StructuredBound(std::move(queries)), by_score_(scores.size()) {
    const Dataset& data = queries_->data();
    topmost_.resize(data.queries());
    for (std::size_t q = 0; q < data.queries(); ++q) {
      if (!informative(q)) continue;
      const auto here = scores.subspan(data.begin(q), data.end(q) - data.begin(q));
      OracleQuery query = queries_->query(q);
      if (topmost_only()) {
        topmost_[q] = best_scored(query.good, here);
        query.good = std::span(&topmost_[q], 1);
      }
      oracle().by_score(query, here, std::span(by_score_).subspan(data.begin(q), here.size()));
    }
  }

 protected:
  double bound(std::size_t q, const OracleQuery& query, std::span<const double> scores,
               std::span<double> first) const override {
    OracleQuery seen = query;
    if (topmost_only()) seen.good = std::span(&topmost_[q], 1);
    double value = hinge(oracle(), seen, scores, first);
    const auto c = std::span(by_score_).subspan(queries_->data().begin(q), scores.size());
    value += inner(c, scores);
    for (std::size_t i = 0; i < first.size(); ++i) first[i] += c[i];
    if (!topmost_only()) return value;
    const std::uint32_t then = topmost_[q], now = best_scored(query.good, scores);
    first[now] += c[then];
    first[then] -= c[then];
    return value + c[then] * (scores[now] - scores[then]);
  }

 private:
  std::vector<double> by_score_;        // c(ŷ_t), one per document
  std::vector<std::uint32_t> topmost_;  // g_t, one per query
};

class Ramp final : public StructuredBound {
 public:
  using StructuredBound::StructuredBound;

  std::unique_ptr<const BoundLoss> convex_bound(std::span<const double> scores) const override {
    if (scores.empty() && queries_->data().documents() > 0)
      return std::make_unique<HingeBound>(queries_);
    return std::make_unique<FrozenRamp>(queries_, scores);
  }

 protected:
  double bound(std::size_t, const OracleQuery& query, std::span<const double> scores,
               std::span<double> first) const override {
    OracleQuery seen = query;
    std::uint32_t topmost = 0;
    if (topmost_only()) {
      topmost = best_scored(query.good, scores);
      seen.good = std::span(&topmost, 1);
    }
    double value = hinge(oracle(), seen, scores, first);
    std::vector<double> c(scores.size());
    oracle().by_score(seen, scores, c);
    value += inner(c, scores);
    for (std::size_t i = 0; i < first.size(); ++i) first[i] += c[i];
    return value;
  }
};

}  // namespace

bool StructuredQueries::informative(std::size_t q) const {
  if (oracle_->labels() == RankingOracle::Labels::binary) return split_.informative(q);
  const auto labels = data_.labels(q);
  return std::any_of(labels.begin(), labels.end(), [&](float y) { return y != labels[0]; });
}

std::unique_ptr<const BoundLoss> bind_structured_hinge(
    std::shared_ptr<const StructuredQueries> queries) {
  return std::make_unique<HingeBound>(std::move(queries));
}

std::unique_ptr<const BoundLoss> bind_structured_ramp(
    std::shared_ptr<const StructuredQueries> queries) {
  return std::make_unique<Ramp>(std::move(queries));
}

}  // namespace podium
