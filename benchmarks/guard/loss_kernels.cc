// Losses: derivatives of all queries, one after another.
#include <algorithm>

#include "guard/kernels.h"
#include "podium/loss.h"

namespace podium {
namespace {

enum class Wanted { value, derivatives };

struct BoundPass {
  std::unique_ptr<const BoundLoss> loss;
  std::vector<double> first, second;

  void run(const Dataset& data, std::span<const double> scores, Wanted wanted) {
    for (std::size_t q = 0; q < data.queries(); ++q) {
      const std::size_t begin = data.begin(q), count = data.end(q) - begin;
      const Derivatives out{std::span(first).subspan(begin, count),
                            std::span(second).subspan(begin, count)};
      if (wanted == Wanted::value)
        loss->evaluate(q, scores.subspan(begin, count), out);
      else
        loss->differentiate(q, scores.subspan(begin, count), out);
    }
  }
};

Kernel pass_of(Workload& workload, std::string_view loss, Wanted wanted, const KernelWork& work) {
  const Dataset& data = workload.data();
  const std::vector<double>& scores = workload.scores();
  const std::vector<double> zeros(data.documents());
  const auto pass =
      std::make_shared<BoundPass>(BoundPass{parse_loss(loss)->bind(data), zeros, zeros});
  return {[pass, &data, &scores, wanted] { pass->run(data, scores, wanted); }, work};
}

// Pairs with at least one document among the first ranks, of any grades: vectors do not skip.
double pairs_of(const Dataset& data, std::size_t ranks) {
  double pairs = 0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const std::size_t n = data.end(q) - data.begin(q);
    for (std::size_t rank = 0; rank < std::min(ranks, n); ++rank)
      pairs += static_cast<double>(n - rank - 1);
  }
  return pairs;
}

constexpr std::size_t kAllRanks = ~std::size_t{0};
// The pairs of λ-nDCG are those of the first 30 ranks. Operations per pair: 3 for its weight, 2
// differences, 7 for the slopes, 2 products and 5 sums.
constexpr std::size_t kLambdaRanks = 30;
constexpr double kLambdaFlops = 19;

Kernel documents_pass(Workload& workload, std::string_view loss) {
  return pass_of(workload, loss, Wanted::value,
                 {.items = static_cast<double>(workload.data().documents())});
}

}  // namespace

Kernel lambda_ndcg(Workload& workload) {
  const double pairs = pairs_of(workload.data(), kLambdaRanks);
  return pass_of(workload, "lambda-ndcg", Wanted::derivatives,
                 {.items = pairs, .flops = kLambdaFlops * pairs, .divisions = pairs});
}
Kernel lambda_ap(Workload& workload) {
  return pass_of(workload, "lambda-ap", Wanted::derivatives,
                 {.items = pairs_of(workload.data(), kLambdaRanks)});
}
Kernel logistic_pairs(Workload& workload) {
  return pass_of(workload, "logistic-pairs", Wanted::value,
                 {.items = pairs_of(workload.data(), kAllRanks)});
}
Kernel hinge_pairs(Workload& workload) {
  return pass_of(workload, "hinge-pairs", Wanted::value,
                 {.items = pairs_of(workload.data(), kAllRanks)});
}
Kernel ranksvm_loss(Workload& workload) {
  return documents_pass(workload, "pairwise-hinge");
}
Kernel map_oracle(Workload& workload) {
  return documents_pass(workload, "structured-map");
}
Kernel ndcg_oracle(Workload& workload) {
  return documents_pass(workload, "structured-ndcg@10");
}

}  // namespace podium
