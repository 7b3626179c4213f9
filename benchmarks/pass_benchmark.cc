// The cost of a pass of the structural SVMs, against bounds measured in the same run:
//   the two matrix–vector products against a plain read of the same memory, and
//   scores, losses and gradient together against the two products alone.
#include <chrono>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "models/linear/linear.h"
#include "podium/loss.h"
#include "podium/synthetic.h"

namespace podium {
namespace {

double best_seconds(const std::function<void()>& action) {
  double best = 1e300;
  for (int i = 0; i < 9; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    action();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

// Reads every byte once, as fast as plain code can.
std::uint64_t read_all(std::span<const float> values) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(values.data());
  std::uint64_t sums[4] = {};
  for (std::size_t i = 0; i + 4 <= values.size() / 2; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += words[i + lane];
  return sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
}

void run() {
  ThreadPool pool(1);
  const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
  SyntheticOptions options;
  options.preset = SyntheticPreset::mslr;
  options.queries = 1500;
  const Dataset data = make_synthetic(options, context);
  const auto memory = data.parts().dense.view();
  const double bytes = static_cast<double>(memory.size_bytes());
  Linear model{std::vector<double>(data.features(), 1.0 / 1000), 0};
  std::vector<double> scores, slope(data.documents(), 1e-3);

  volatile std::uint64_t sink = 0;
  const double read = best_seconds([&] { sink = read_all(memory); });
  const double score_time = best_seconds([&] { scores = score(model, data, pool); });
  const double gradient_time = best_seconds([&] { weighted_sum(data, slope, context); });
  static_cast<void>(sink);
  fmt::print("{} documents x {} features, {:.0f} MB, one thread\n", data.documents(),
             data.features(), bytes / 1e6);
  fmt::print("plain read   {:6.2f} GB/s\n", bytes / read / 1e9);
  fmt::print("score        {:6.2f} GB/s  {:3.0f} % of the plain read\n", bytes / score_time / 1e9,
             100 * read / score_time);
  fmt::print("gradient     {:6.2f} GB/s  {:3.0f} %\n", bytes / gradient_time / 1e9,
             100 * read / gradient_time);
  for (const char* name : {"pairwise-hinge", "structured-auc", "structured-map",
                           "structured-ndcg@10", "structured-ndcg-nc", "structured-mrr@10"}) {
    const auto bound = parse_loss(name)->bind(data);
    const double pass = best_seconds([&] {
      scores = score(model, data, pool);
      for (std::size_t q = 0; q < data.queries(); ++q) {
        const std::size_t at = data.begin(q), count = data.end(q) - at;
        bound->evaluate(q, std::span(scores).subspan(at, count),
                        {std::span(slope).subspan(at, count), {}});
      }
      weighted_sum(data, slope, context);
    });
    fmt::print("a pass of {:<20} {:.2f} x the two products\n", name,
               pass / (score_time + gradient_time));
  }
}

}  // namespace
}  // namespace podium

int main() {
  podium::run();
}
