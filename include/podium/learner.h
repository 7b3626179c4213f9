// Learners: a row of the catalogue combines a model, a loss and a trainer under the name that a
// paper gave the combination.
//
// Life of a training run: training.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "podium/catalog.h"
#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/evaluator.h"
#include "podium/loss.h"
#include "podium/measure.h"
#include "podium/model.h"

namespace podium {

class BinCache;  // trees/bin_cache.h

struct TrainingProblem {
  const Dataset& train;
  const Dataset* valid = nullptr;  // if given, used to choose between models
  MeasurePtr measure;              // the measure to choose by, under `convention`
  Convention convention;
  // Where training starts. Offsets are added to the model's scores, one per document (empty: none);
  // the offset feature is added too and becomes part of a forest; `start` is a model of the same
  // features to continue. Learners that do not support a start throw a usage Error.
  struct Start {
    std::span<const double> train_offset = {}, valid_offset = {};
    std::optional<std::uint32_t> offset_feature = {};
    const Model* model = nullptr;
    bool empty() const noexcept { return train_offset.empty() && !offset_feature && !model; }
  } start = {};
  std::vector<MeasurePtr> also_log = {};  // further measures of the validation data to log
  // Whether iterative trainers also log `measure` on the training data, as "train …".
  enum class Logged { validation, training_too } logged = Logged::validation;
  std::shared_ptr<BinCache> bins = {};  // of `train`, if several training runs share it
};

enum class Termination {
  converged,
  iteration_limit,
  early_stopping,
  time_limit,
  stopped,
  numerical_limit,
};
std::string_view to_text(Termination termination);

struct TrainingResult {
  Model model;
  std::vector<Iteration> log;
  std::int64_t best_iteration = 0;
  Termination termination = Termination::converged;
  std::optional<Certificate> certificate;
  std::vector<std::pair<std::string, double>> chosen;  // what the validation data chose: {"C", 10}
  std::size_t skipped_queries = 0;    // total across ranks; they do not contribute to the loss
  std::optional<double> bin_seconds;  // time spent binning features
  std::string if_constant;            // the trainer's explanation, in case the model ranks nothing
};

// Approximate memory that training needs in addition to its data: what grows with rows × columns,
// or with the weights of a network. Used for a note before the work begins, not for decisions.
struct MemoryNeed {
  std::uint64_t bytes = 0;
  std::string shape;  // what it depends on besides the inputs: "layers of 32,16", "120 documents"
};

class Learner {
 public:
  virtual ~Learner() = default;
  virtual TrainingResult train(const TrainingProblem& problem, Context& context) const = 0;
  // By default: a few numbers per input.
  virtual MemoryNeed memory_need(const Dataset& train) const;
  // The loss it minimises: the one of its paper, or the one given to with_loss(). nullopt for
  // learners that minimise no loss.
  virtual std::optional<SharedLoss> loss() const { return std::nullopt; }
  // The same learner with another loss. Throws a usage Error if the learner minimises none.
  virtual std::unique_ptr<const Learner> with_loss(const SharedLoss& loss) const;
  // Whether users may choose another loss; learners from papers have a fixed one.
  virtual bool takes_any_loss() const { return false; }
  // The squared error that users may add to the loss.
  virtual SharedLoss pointwise_loss() const;
  // Whether it advances what a loss estimates about its data (LossState).
  virtual bool advances_losses() const { return false; }
  // Whether training can begin at a Start.
  virtual bool takes_start() const { return false; }
  // Whether it can use features that are categories, whose codes are not numbers.
  virtual bool takes_categories() const { return false; }
  // Whether its models have a place for missing values, as splits do.
  virtual bool takes_missing_values() const { return false; }
  // Whether it grows trees, which Context::device does.
  virtual bool uses_device() const { return false; }
  // Whether it needs each query's rows stored in the order of their content (Dataset::row_order),
  // because it adds up numbers in the order of the rows; otherwise it follows that order by itself.
  virtual bool needs_rows_in_order() const { return true; }
  // How the paper prepared its data, if that is part of the method.
  virtual TransformOptions preparation() const { return {}; }
};

const Catalog<Learner>& learners();

}  // namespace podium
