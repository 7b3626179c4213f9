// What boosting needs for the training documents, on Context::device: the scores, the loss's
// derivatives at them, and trees that are grown on the derivatives and added to the scores. All
// data with one number per document is behind this interface; within a round only trees, a few
// numbers per leaf, cross it. The host gets documents' data only on request.
//
// Life of a round, for a loss with K outputs per document:
//
//   1. the loss is evaluated at scores(), and writes all of derivatives();
//   2. grow() fits one tree per output, 0 … K − 1; no score has changed yet;
//   3. the caller shrinks the tree's values, may weight them (look_up() gives it the tree's
//      scores), and may drop the round;
//   4. add() adds the values to the scores, once per output.
//
// The contract, for every device:
//
//   Bytes      The same trees and scores, bit for bit, for any device and number of threads and
//              ranks. Derivatives are rounded by hash, histograms are sums of integers, leaves are
//              exact sums (quantized_derivatives.h, histogram.h, leaf_values.h); scores are double,
//              one addition per tree, in the order of the add() calls.
//   Scores     The grower owns them. They follow from the forest, so a checkpoint has only the
//              forest: set_scores() starts training with its constants and initial scores, and
//              resumes it, on any device. A tree cannot be removed: if training ends early (a stop
//              request, early stopping, derivatives that are not finite), the scores are not used
//              any more.
//   Outputs    Scores and derivatives have K contiguous numbers per document.
//   Scaling    grow() divides the derivatives by their mean curvature (derivative_scale.h) for
//              Newton's leaf values; gains are converted back to the loss's units.
//   Samples    grow() learns from the sample only, but every document has a leaf: add() and
//              look_up() cover all of them. The caller samples queries; grow() samples features, by
//              the tree's number.
//   Leaves     have Newton or gradient values, within the bounds set by monotone constraints
//              (TreeOptions). add() takes other values, such as those of a line search.
//   Ranks      grow() is collective: all ranks call it with their own documents; sums are over all.
//   Errors     in options are reported by the factory; grow() throws an Error (training) on all
//              ranks if a derivative is not finite or a second one is negative, without changing
//              a score. Stop requests are handled between rounds and inside the loss, not here.
//
// A device with separate memory keeps copies: scores() downloads what has changed, and
// derivatives() is the host's side of a buffer that grow() uploads. A loss with kernels for devices
// uses scores and derivatives there (on_device()), without copies.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "podium/context.h"
#include "podium/model.h"
#include "trees/binned_dataset.h"
#include "trees/quantized_derivatives.h"
#include "trees/tree_options.h"

namespace podium {

class DeviceQueue;

struct TreeRequest {
  std::size_t output = 0;
  // The documents to learn from, ascending (if this rank has none: an empty list); nullopt: all.
  DocumentSample sample = {};
  std::uint64_t number = 1;  // of the tree, for random choices by hash
};

class TreeGrower {
 public:
  struct Setup {
    const BinnedDataset& data;
    TreeOptions options = {};
    std::size_t outputs = 1;
    // Documents of all ranks that have derivatives: the mean curvature is over them.
    double counted_documents = 0;
  };

  virtual ~TreeGrower() = default;

  // On the host, valid until the next add() or set_scores().
  virtual std::span<const double> scores() = 0;
  virtual void set_scores(std::span<const double> scores) = 0;

  // All must be written before each round's first grow(), which may change them: those of an output
  // can be used for one tree.
  struct DerivativeBuffers {
    std::span<double> first, second;
  };
  virtual DerivativeBuffers derivatives() = 0;

  // For a loss that is computed in the device's memory, with as many numbers as on the host: it
  // writes these derivatives instead of those of derivatives(). Scores there are always those so
  // far. Nullopt: the grower has no other memory.
  struct OnDevice {
    DeviceQueue* queue;
    const double* scores;
    double *first, *second;
  };
  virtual std::optional<OnDevice> on_device() { return {}; }

  virtual Tree grow(const TreeRequest& request) = 0;

  // For the last tree grown for the output, even if the values of its leaves have changed. The
  // score of each document changes by values[its leaf].
  virtual void add(std::size_t output, std::span<const double> values) = 0;
  // out_i = values[leaf of document i].
  virtual void look_up(std::size_t output, std::span<const double> values,
                       std::span<double> out) const = 0;
};

// On the context's device; throws an Error if it does not grow trees, or if the options are
// invalid. Data and context must outlive the grower.
std::unique_ptr<TreeGrower> make_tree_grower(const TreeGrower::Setup& setup, Context& context);

}  // namespace podium
