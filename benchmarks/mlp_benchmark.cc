// Mini-batch epochs of `mlp` on MSLR-shaped data, against Eigen's products alone: which part of the
// machine's single-precision matrix-multiply rate the dense layers reach. One thread.
//
// Eigen multiplies the same shapes, one query's documents at a time, in memory that stays in cache.
// It is compiled for this machine (CMakeLists.txt), with fused multiply-add; Podium's kernels do
// not use it, so that results have the same bits on every machine.
#include <ctime>
#include <functional>

// The library also contains Eigen, compiled for any machine: this one needs another name.
#define Eigen EigenForThisMachine
#include <Eigen/Core>
#undef Eigen
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/random.h"
#include "core/vector_target.h"
#include "learners/parametric/objective.h"
#include "learners/parametric/query_batches.h"
#include "models/mlp/mlp_kernels.h"
#include "models/mlp/mlp_network.h"
#include "podium/loss.h"
#include "podium/synthetic.h"
#include "solvers/adam.h"

namespace podium {
namespace {

constexpr std::size_t kBatch = 16;

// Processor time: there is one thread, and others may use the machine.
double seconds(const std::function<void()>& action) {
  const std::clock_t begin = std::clock();
  action();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

double best_seconds(const std::function<void()>& action) {
  double best = 1e300;
  for (int i = 0; i < 7; ++i) best = std::min(best, seconds(action));
  return best;
}

// Multiplications and additions of the dense layers, forward and backward, for one document.
double work_of(const MlpNetwork& network) {
  double work = 0;
  for (std::size_t l = 0; l + 1 < network.layers().size(); ++l) {
    const auto& layer = network.layers()[l];
    work += 2.0 * static_cast<double>(layer.inputs * layer.outputs) * (l == 0 ? 2 : 3);
  }
  return work;
}

double product_seconds(int rows, int depth, int columns) {
  using Matrix =
      EigenForThisMachine::Matrix<float, EigenForThisMachine::Dynamic, EigenForThisMachine::Dynamic,
                                  EigenForThisMachine::RowMajor>;
  const Matrix a = Matrix::Random(rows, depth), b = Matrix::Random(depth, columns);
  Matrix c = Matrix::Zero(rows, columns);
  constexpr int kRepeats = 1000;
  const double time = best_seconds([&] {
    for (int i = 0; i < kRepeats; ++i) c.noalias() += a * b;
  });
  return time / kRepeats;
}

// Eigen's products of the network's shapes for `documents` documents.
double eigen_seconds(const MlpNetwork& network, int documents) {
  double total = 0;
  for (std::size_t l = 0; l + 1 < network.layers().size(); ++l) {
    const auto inputs = static_cast<int>(network.layers()[l].inputs);
    const auto outputs = static_cast<int>(network.layers()[l].outputs);
    total += product_seconds(documents, inputs, outputs);  // forward
    total += product_seconds(inputs, documents, outputs);  // the weights' gradient
    if (l > 0) total += product_seconds(documents, outputs, inputs);
  }
  return total;
}

void run(const Dataset& data, std::vector<std::size_t> hidden, Context& context) {
  const auto loss = parse_loss("softmax");
  const MlpNetwork network(fit_standardization(data, context), hidden, Mlp::Activation::relu);
  const auto function = mlp_function(data, hidden, Mlp::Activation::relu, context);
  ParametricObjective objective(*function, data, *loss, {}, context);
  const QueryBatches batches(data, objective.queries(), kBatch, context);
  std::vector<double> parameters = function->start(1), gradient(parameters.size());
  Adam adam(parameters.size());
  const double documents = static_cast<double>(data.documents());
  const double epoch = best_seconds([&] {
    for (const auto& batch : batches.epoch(1)) {
      objective.evaluate(parameters, batch, gradient);
      adam.step(parameters, gradient, 1e-3);
    }
  });
  // The dense layers alone: both passes over every query, without loss and steps.
  const auto scratch = function->make_scratch();
  std::vector<double> scores, slope;
  OrderFreeSums sums(function->sums());
  const double dense = best_seconds([&] {
    for (std::size_t q = 0; q < data.queries(); ++q) {
      const Rows rows = data.rows(q);
      scores.resize(rows.documents());
      slope.assign(rows.documents(), 1e-3);
      function->forward(rows, scores, *scratch);
      function->backward(rows, slope, *scratch, sums);
    }
  });
  const auto per_query = static_cast<int>(data.documents() / data.queries());
  const double eigen = eigen_seconds(network, per_query) * documents / per_query;
  const double work = work_of(network) * documents;
  fmt::print(
      "hidden {:<12} Eigen {:6.1f} GFLOP/s   layers {:6.1f} ({:3.0f} %)   whole epoch {:6.1f} "
      "({:3.0f} %), {:.3f} s\n",
      fmt::format("{}", fmt::join(hidden, ",")), work / eigen / 1e9, work / dense / 1e9,
      100 * eigen / dense, work / epoch / 1e9, 100 * eigen / epoch, epoch);
}

void run() {
  ThreadPool pool(1);
  const auto comm = make_local_communicator();
  Observer observer;
  Context context{1, pool, *comm, observer};
  SyntheticOptions options;
  options.preset = SyntheticPreset::mslr;
  options.queries = 500;
  const Dataset data = make_synthetic(options, context);
  fmt::print("{} documents x {} features, batches of {} queries, kernels {}, Eigen {}\n",
             data.documents(), data.features(), kBatch, vector_target_name(vector_target()),
             EigenForThisMachine::SimdInstructionSetsInUse());
  run(data, {32, 16}, context);
  run(data, {64, 32}, context);
  run(data, {256, 128}, context);
}

}  // namespace
}  // namespace podium

int main() {
  podium::run();
}
