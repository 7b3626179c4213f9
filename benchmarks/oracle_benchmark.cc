// How the oracles scale: one query of n documents, n doubled from 1,024 to 1,048,576, the ratio of
// times at each doubling and its geometric mean. Almost linear means a mean near 2.
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "core/random.h"
#include "core/spec.h"
#include "podium/oracle.h"

namespace podium {
namespace {

double seconds_of(const RankingOracle& oracle, std::size_t n) {
  Random random(n);
  std::vector<float> labels(n);
  std::vector<std::uint32_t> good, bad;
  std::vector<double> scores(n), c(n);
  for (std::size_t i = 0; i < n; ++i) {
    labels[i] = random.below(4) == 0;
    scores[i] = random.uniform() + 0.3 * labels[i];
    (labels[i] > 0 ? good : bad).push_back(static_cast<std::uint32_t>(i));
  }
  const OracleQuery query{labels, good, bad};
  const int repeats = static_cast<int>(std::max<std::size_t>(3, (std::size_t{1} << 18) / n));
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    for (double& s : scores)
      s = std::fmod(s + 0.618, 1.3);  // new data, so that branches are not predicted
    const auto start = std::chrono::steady_clock::now();
    oracle.most_violated(query, scores, c);
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

void measure(std::string_view name) {
  const Spec spec = parse_spec(name, "oracle");
  const auto oracle = oracles().make(spec.name, spec.given);
  std::string line;
  double first = 0, last = 0;
  int doublings = 0;
  for (std::size_t n = std::size_t{1} << 10; n <= std::size_t{1} << 20; n *= 2) {
    const double now = seconds_of(*oracle, n);
    if (first == 0)
      first = now;
    else {
      line += fmt::format(" {:.2f}", now / last);
      ++doublings;
    }
    last = now;
  }
  fmt::print("{:<24} {:6.1f} ns a document at 1M; ratios{}; mean {:.2f}\n", oracle->name(),
             last * 1e9 / (1 << 20), line, std::pow(last / first, 1.0 / doublings));
}

}  // namespace
}  // namespace podium

int main() {
  for (const char* name :
       {"auc", "average-precision", "ndcg@10", "ndcg@100", "ndcg-nc", "ndcg-nc(discount=letor)",
        "reciprocal-rank@10", "reciprocal-rank(map=po)@10"})
    podium::measure(name);
}
