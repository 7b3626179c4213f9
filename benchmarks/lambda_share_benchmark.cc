// The fraction of LambdaMART's time spent on derivatives, on one thread: 20 trees of 31 leaves on
// synthetic data of MSLR-WEB's shape, 6,000 queries of about 120 documents with 136 features. A
// loss that forwards every call to lambda-ndcg measures the time. Training time is measured from
// the first tree on, without binning, and in total.
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "learners/boosting/boosting.h"
#include "podium/evaluator.h"
#include "podium/loss.h"
#include "podium/synthetic.h"

namespace podium {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// For one thread: the seconds are not synchronised.
class BoundStopwatch final : public BoundLoss {
 public:
  BoundStopwatch(std::unique_ptr<const BoundLoss> loss, double& seconds)
      : loss_(std::move(loss)), seconds_(seconds) {}

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    const auto start = Clock::now();
    const double value = loss_->evaluate(q, scores, out);
    seconds_ += seconds_since(start);
    return value;
  }
  void differentiate(std::size_t q, std::span<const double> scores,
                     Derivatives out) const override {
    const auto start = Clock::now();
    loss_->differentiate(q, scores, out);
    seconds_ += seconds_since(start);
  }
  bool informative(std::size_t q) const override { return loss_->informative(q); }
  Link link() const override { return loss_->link(); }

 private:
  std::unique_ptr<const BoundLoss> loss_;
  double& seconds_;
};

class Stopwatch final : public Loss {
 public:
  Stopwatch(std::string_view loss, double& seconds) : loss_(parse_loss(loss)), seconds_(seconds) {}

  std::string name() const override { return loss_->name(); }
  LossTraits traits() const noexcept override { return loss_->traits(); }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator& comm) const override {
    return std::make_unique<BoundStopwatch>(loss_->bind(data, comm), seconds_);
  }

 private:
  SharedLoss loss_;
  double& seconds_;
};

// Records when the trees begin.
class PhaseClock final : public Observer {
 public:
  void phase(std::string_view) override { began_ = Clock::now(); }
  double seconds() const { return seconds_since(began_); }

 private:
  Clock::time_point began_ = Clock::now();
};

void measure(std::string_view loss) {
  ThreadPool pool(1);
  const auto comm = make_local_communicator();
  PhaseClock last_phase;
  Context context{1, pool, *comm, last_phase};
  SyntheticOptions shape;
  shape.preset = SyntheticPreset::mslr;
  shape.queries = 6000;
  const Dataset data = make_synthetic(shape, context);
  double seconds = 0;
  const TrainingProblem problem{data, nullptr, parse_measure("nDCG@10", Convention{}),
                                Convention{}};
  const Stopwatch watched(loss, seconds);
  BoostingOptions options;
  options.trees = 20;
  const auto start = Clock::now();
  train_by_boosting(problem, watched, options, context);
  const double trees = last_phase.seconds(), all = seconds_since(start);
  fmt::print("{:<24} {:5.1f} ms per tree, {:4.1f} % of {:5.1f} ms, {:4.1f} % with binning\n", loss,
             seconds / 20 * 1e3, 100 * seconds / trees, trees / 20 * 1e3, 100 * seconds / all);
}

}  // namespace
}  // namespace podium

int main() {
  for (const char* loss : {"lambda-ndcg", "lambda-ndcg(norm=none)", "lambda-ap", "lambda-err"})
    podium::measure(loss);
}
