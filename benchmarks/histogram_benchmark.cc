// Histogram building against a straightforward loop, in one run: MSLR-shaped data, 136 features,
// about 300,000 documents. The plain loop goes row by row over bins stored row-major and adds to
// two arrays of doubles. Both sum the same documents: all of them, and smaller leaves whose
// documents are scattered. Then the speed-up from a second thread, and whole trees.
//
// The last line is a control: the speed-up of two threads on arithmetic alone. If that is far from
// 2, the machine is busy, and the speed-up of two threads is meaningless.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/random.h"
#include "podium/synthetic.h"
#include "trees/histogram.h"
#include "trees/tree_builder.h"

namespace podium {
namespace {

double seconds_of(const std::function<void()>& action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The fastest of several runs of each, alternating, so that a disturbance affects both.
std::pair<double, double> best_of_both(int repeats, const std::function<void()>& a,
                                       const std::function<void()>& b) {
  double best_a = 1e300, best_b = 1e300;
  for (int i = 0; i < repeats; ++i) {
    best_a = std::min(best_a, seconds_of(a));
    best_b = std::min(best_b, seconds_of(b));
  }
  return {best_a, best_b};
}

struct Party {
  explicit Party(int threads) : pool(threads) {}
  ThreadPool pool;
  std::unique_ptr<Communicator> comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
};

struct Derivatives {
  std::vector<double> first, second;
};

// Heavy-tailed, half of it correlated with the labels.
Derivatives draw_derivatives(const Dataset& data) {
  Random random(7);
  Derivatives derivatives;
  for (const float label : data.labels()) {
    const double u = random.uniform() + 1e-3;
    derivatives.first.push_back((random.uniform() - 0.4 - 0.2 * label) / std::sqrt(u));
    derivatives.second.push_back(0.1 + 0.2 / std::sqrt(u));
  }
  return derivatives;
}

class PlainHistogram {
 public:
  explicit PlainHistogram(const BinnedDataset& data)
      : features_(data.columns().size()),
        bins_(features_ * data.documents()),
        first_(features_ * 256),
        second_(features_ * 256) {
    for (std::size_t d = 0; d < data.documents(); ++d)
      for (std::size_t c = 0; c < features_; ++c) bins_[d * features_ + c] = data.bin_of(c, d);
  }
  void build(std::span<const std::uint32_t> documents, const Derivatives& derivatives) {
    std::fill(first_.begin(), first_.end(), 0.0);
    std::fill(second_.begin(), second_.end(), 0.0);
    for (const std::uint32_t d : documents) {
      const std::uint8_t* row = bins_.data() + d * features_;
      const double g = derivatives.first[d], h = derivatives.second[d];
      for (std::size_t c = 0; c < features_; ++c) {
        first_[c * 256 + row[c]] += g;
        second_[c * 256 + row[c]] += h;
      }
    }
  }

 private:
  std::size_t features_;
  std::vector<std::uint8_t> bins_;
  std::vector<double> first_, second_;
};

std::vector<std::uint32_t> scattered(std::size_t documents, std::uint64_t one_in) {
  std::vector<std::uint32_t> chosen;
  Random random(one_in);
  for (std::uint32_t d = 0; d < documents; ++d)
    if (random.below(one_in) == 0) chosen.push_back(d);
  return chosen;
}

void compare_histograms(const BinnedDataset& data, const Derivatives& derivatives) {
  Party one(1), two(2);
  QuantizedDerivatives quantized;
  quantized.assign(derivatives.first, derivatives.second, {}, data.keys(), 0, 1, one.context);
  HistogramBuilder builder(data, one.pool), builder_of_two(data, two.pool);
  std::vector<DerivativeSums> out(data.total_bins());
  PlainHistogram plain(data);
  fmt::print("histograms, in billions of updates a second\n");
  for (const std::uint64_t one_in : {1, 2, 5, 30, 300}) {
    const auto documents = scattered(data.documents(), one_in);
    const double updates =
        1e-9 * static_cast<double>(documents.size()) * static_cast<double>(data.columns().size());
    const auto ours = [&] { builder.build(documents, quantized.words(), out); };
    const auto [fast, slow] = best_of_both(15, ours, [&] { plain.build(documents, derivatives); });
    const auto [single, both] =
        best_of_both(15, ours, [&] { builder_of_two.build(documents, quantized.words(), out); });
    fmt::print(
        "  1 document in {:<4} plain {:5.2f}   one thread {:5.2f}: {:.2f} x   two threads {:5.2f}: "
        "{:.2f} x one\n",
        one_in, updates / slow, updates / fast, slow / fast, updates / both, single / both);
  }
}

void grow_trees(const BinnedDataset& data, const Derivatives& derivatives) {
  Party one(1), two(2);
  TreeBuilder builder(data, {}, one.context), builder_of_two(data, {}, two.context);
  std::vector<std::uint32_t> leaf_of(data.documents());
  std::uint64_t round = 0;
  std::size_t leaves = 0;
  const auto target = [&] { return TreeTarget{derivatives.first, derivatives.second, {}, round}; };
  const auto [single, both] = best_of_both(
      7,
      [&] {
        ++round;
        leaves = builder.build(target(), leaf_of).values.size();
      },
      [&] { builder_of_two.build(target(), leaf_of); });
  fmt::print("a tree of {} leaves: {:.1f} ms with one thread, {:.1f} with two ({:.2f} x)\n", leaves,
             1e3 * single, 1e3 * both, single / both);
}

void control() {
  const auto spin = [](ThreadPool& pool) {
    pool.run(64, [](std::size_t i) {
      volatile double x = static_cast<double>(i);
      for (int k = 0; k < 200'000; ++k) x = x * 1.0000001 + 1;
    });
  };
  ThreadPool one(1), two(2);
  const auto [single, both] = best_of_both(
      5, [&] { spin(one); }, [&] { spin(two); });
  fmt::print("control: two threads gain {:.2f} x on arithmetic alone\n", single / both);
}

void run() {
  Party party(0);
  SyntheticOptions options;
  options.preset = SyntheticPreset::mslr;
  options.queries = 2500;
  const Dataset data = make_synthetic(options, party.context);
  const Derivatives derivatives = draw_derivatives(data);
  BinnedDataset binned;
  const double seconds = seconds_of([&] { binned = BinnedDataset::bin(data, {}, party.context); });
  fmt::print(
      "{} documents x {} features, {} of them not constant, {} bins; binned in {:.2f} s, "
      "{:.0f} bytes per document\n",
      data.documents(), data.features(), binned.columns().size(), binned.total_bins(), seconds,
      static_cast<double>(binned.bytes()) / static_cast<double>(data.documents()));
  compare_histograms(binned, derivatives);
  grow_trees(binned, derivatives);
  control();
}

}  // namespace
}  // namespace podium

int main() {
  podium::run();
}
