// What boosting needs of the training documents, on the device that Context::device names: the
// scores, the loss's derivatives there, and trees that are grown on the derivatives and added to
// the scores. Everything that is one number per document lives behind this interface; what crosses
// it inside a round is a tree, a few numbers per leaf. The host sees documents only where it asks
// for them.
//
// Life of a round, for a loss with K outputs per document:
//
//   1. the loss is evaluated at scores(), and writes all of derivatives();
//   2. grow() fits one tree per output, 0 … K − 1; no score has changed yet;
//   3. the caller shrinks the tree's values, may weigh them (look_up() shows it the tree's scores),
//      and may drop the round;
//   4. add() moves the scores by the values, once per output.
//
// The contract, for every device:
//
//   Bytes      The same trees and scores, bit for bit, whatever the device and the number of
//              threads and ranks. Derivatives are rounded by hash, histograms are sums of integers,
//              leaves are exact sums (quantized_derivatives.h, histogram.h, leaf_values.h); scores
//              are double, one addition per tree, in the order of the add() calls.
//   Scores     belong to the grower. They follow from the forest, so a checkpoint holds only that:
//              set_scores() starts a training, with its constants and initial scores, and resumes
//              one, on any device. Nothing takes a tree back: what ends a training early (a stop,
//              early stopping, derivatives that are not finite) leaves the scores behind unused.
//   Outputs    are side by side, K numbers per document, in scores and derivatives alike.
//   Scaling    grow() divides the derivatives by their mean curvature (derivative_scale.h) for
//              Newton's leaf values; gains are given in the loss's own units again.
//   Samples    grow() learns from the sample alone, but every document has its leaf: add() and
//              look_up() reach all of them. So the caller draws queries; features are drawn here,
//              by the tree's number.
//   Leaves     Newton's or the gradient's values, within the bounds that monotone constraints set
//              (TreeOptions). Other values, such as those of a line search, come with add().
//   Ranks      grow() is called by all ranks together, with their own documents; sums are over all.
//   Errors     of options come from the factory; grow() throws an Error (training) on all ranks
//              alike when a derivative is not finite or a second one is negative, and has changed
//              no score then. A stop request is seen between rounds and inside the loss, not here.
//
// A device of its own memory keeps copies: scores() copies down what has changed, derivatives() is
// the host's side of a buffer that grow() copies up. A loss with a kernel on the same device will
// find scores and derivatives there, and copy neither.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "podium/context.h"
#include "podium/model.h"
#include "trees/binned_dataset.h"
#include "trees/quantized_derivatives.h"
#include "trees/tree_options.h"

namespace podium {

struct TreeRequest {
  std::size_t output = 0;
  // The documents to learn from, ascending (none of this rank's: an empty list); nullopt: all.
  DocumentSample sample = {};
  std::uint64_t number = 1;  // of the tree, for what is drawn by hash
};

class TreeGrower {
 public:
  struct Setup {
    const BinnedDataset& data;
    TreeOptions options = {};
    std::size_t outputs = 1;
    // Of all ranks, those that have derivatives: the mean curvature is over them.
    double counted_documents = 0;
  };

  virtual ~TreeGrower() = default;

  // As they are on the host, until the next add() or set_scores().
  virtual std::span<const double> scores() = 0;
  virtual void set_scores(std::span<const double> scores) = 0;

  // To be written, all of them, before each round's first grow(), which may change them: each
  // output's are good for one tree.
  struct DerivativeBuffers {
    std::span<double> first, second;
  };
  virtual DerivativeBuffers derivatives() = 0;

  virtual Tree grow(const TreeRequest& request) = 0;

  // About the last tree that was grown for the output, whatever values its leaves have meanwhile.
  // The score of each document changes by values[its leaf].
  virtual void add(std::size_t output, std::span<const double> values) = 0;
  // out_i = values[leaf of document i].
  virtual void look_up(std::size_t output, std::span<const double> values,
                       std::span<double> out) const = 0;
};

// On the context's device; Error for one that grows no trees, or for options that make no sense.
// Data and context must outlive the grower.
std::unique_ptr<TreeGrower> make_tree_grower(const TreeGrower::Setup& setup, Context& context);

}  // namespace podium
