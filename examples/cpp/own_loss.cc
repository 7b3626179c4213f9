// A custom loss, trained with the library's boosted trees.
//
//   own_loss TRAIN TEST
//
// The loss is the squared hinge on pairs whose better document is a good one (grade 2 and more):
//   L = Σ max(0, 1 − (sᵢ − sⱼ))² over pairs with yᵢ ≥ 2, yᵢ > yⱼ, divided by their number.
// A loss sees one query's scores and writes a value and two derivatives per document. It never sees
// features, so it can be used with every learner with takes_any_loss().
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include <podium/data_io.h>
#include <podium/error.h>
#include <podium/evaluator.h>
#include <podium/loss.h>
#include <podium/loss_check.h>
#include <podium/training.h>

namespace {

// The loss for one data set. Thread-safe: evaluate() keeps no state.
class BoundGoodPairs : public podium::BoundLoss {
 public:
  explicit BoundGoodPairs(const podium::Dataset& data) : data_(data) {}

  double evaluate(std::size_t q, std::span<const double> scores,
                  podium::Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    const std::span<const float> labels = data_.labels(q);
    const std::size_t count = pairs(labels);
    if (count == 0) return 0;
    const double weight = data_.query_weight(q) / static_cast<double>(count);
    double value = 0;
    for (std::size_t i = 0; i < labels.size(); ++i)
      for (std::size_t j = 0; j < labels.size(); ++j) {
        const double shortfall = 1 - (scores[i] - scores[j]);
        if (!counts(labels[i], labels[j]) || shortfall <= 0) continue;
        value += weight * shortfall * shortfall;
        out.first[i] -= 2 * weight * shortfall;
        out.first[j] += 2 * weight * shortfall;
        if (out.second.empty()) continue;
        out.second[i] += 2 * weight;
        out.second[j] += 2 * weight;
      }
    return value;
  }
  bool informative(std::size_t q) const override { return pairs(data_.labels(q)) > 0; }

 private:
  static bool counts(float better, float worse) { return better >= 2 && better > worse; }
  static std::size_t pairs(std::span<const float> labels) {
    std::size_t count = 0;
    for (const float better : labels)
      for (const float worse : labels) count += counts(better, worse) ? 1 : 0;
    return count;
  }

  const podium::Dataset& data_;
};

class GoodPairs : public podium::Loss {
 public:
  using Loss::bind;
  std::string name() const override { return "good-pairs"; }
  podium::LossTraits traits() const noexcept override {
    return {podium::LossTraits::Shape::convex, podium::LossTraits::Weights::smooth,
            podium::LossTraits::Shift::invariant};
  }
  std::unique_ptr<const podium::BoundLoss> bind(const podium::Dataset& data,
                                                podium::Communicator&) const override {
    return std::make_unique<BoundGoodPairs>(data);
  }
};

int run(const std::string& train_file, const std::string& test_file) {
  podium::ThreadPool pool;
  const auto alone = podium::make_local_communicator();
  podium::Observer silent;
  podium::Context context{1, pool, *alone, silent};
  const podium::Dataset train = podium::read_dataset(train_file, {}, context);
  const podium::Dataset test = podium::read_dataset(test_file, {}, context);

  // Are these the derivatives of a convex function? check_loss tries to refute it.
  const podium::SharedLoss loss = std::make_unique<const GoodPairs>();
  std::printf("%s", podium::to_text(podium::check_loss(*loss, {}), loss->name()).c_str());

  podium::TrainingSpec spec{.learner = "boosting", .options = {{"trees", "50"}}, .loss = loss};
  spec.measures = podium::parse_measures("nDCG@10", spec.convention);
  const podium::SavedModel model = podium::train(spec, train, nullptr, context);
  std::printf("%s %.6f\n", spec.measures[0]->name().c_str(),
              podium::evaluate(spec.measures[0], spec.convention, test,
                               podium::score(model, test, context), context));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s TRAIN TEST\n", argv[0]);
    return 2;
  }
  try {
    return run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
