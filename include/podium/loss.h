// Losses: what is optimised. A loss sees one query's scores and labels and returns a value and one
// derivative per document; it never sees features, so every loss can be used with every model.
//
// Loss is a specification (a value with a name that can be parsed back); bind() computes what
// depends only on the labels (ideal DCGs, label orders) and returns the BoundLoss that trainers
// call.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "podium/catalog.h"
#include "podium/communicator.h"
#include "podium/dataset.h"
#include "podium/label_use.h"
#include "podium/link.h"
#include "podium/stop.h"
#include "podium/thread_pool.h"

namespace podium {

class DeviceLoss;  // src/losses/device/device_loss.h
struct DeviceLossSite;

struct LossTraits {
  // Quadratic is convex with constant second derivatives: one Newton step solves it.
  enum class Shape { quadratic, convex, not_convex } shape = Shape::not_convex;
  // Frozen: the derivatives are those of the loss with its pair weights held fixed (λ-functions).
  enum class Weights { smooth, frozen } weights = Weights::smooth;
  // Unchanged when a constant is added to all scores of a query, so Σ first = 0.
  enum class Shift { invariant, sensitive } shift = Shift::invariant;
};

// Where a loss writes its derivatives by score; both have one element per score.
struct Derivatives {
  std::span<double> first;
  std::span<double> second;  // a positive curvature; empty if the caller does not need it
  StopCheck stop = {};       // checked by losses that take long for a list
};

// What a loss estimates about its data while a model is trained, for example how often each
// position of a click log was looked at. Boosting advances it after every round, and saves and
// restores it with its own state; other trainers leave it as it was bound.
class LossState {
 public:
  virtual ~LossState() = default;
  virtual std::vector<double> values() const = 0;
  virtual void restore(std::span<const double> values) = 0;
  // At the scores so far, one per document of the data. All ranks must call it.
  virtual void advance(std::span<const double> scores, ThreadPool& pool, Communicator& comm) = 0;
};

class BoundLoss {
 public:
  virtual ~BoundLoss() = default;
  // The value for query q at these scores. Thread-safe, and keeps no state between calls. Throws
  // Stopped when `out.stop` does.
  virtual double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const = 0;
  // Only the derivatives, up to rounding: faster if the value is expensive.
  virtual void differentiate(std::size_t q, std::span<const double> scores, Derivatives out) const {
    evaluate(q, scores, out);
  }
  // For losses that are not convex but the difference of two convex functions: a convex loss that
  // is nowhere below this one and equals it at these scores (one per document of the data). Without
  // scores: one that need not equal it anywhere. Null if there is none. This object must outlive
  // the result.
  virtual std::unique_ptr<const BoundLoss> convex_bound(std::span<const double> scores) const;
  // Whether a query contributes to the loss (for a pairwise loss, a list of equal grades does not).
  virtual bool informative(std::size_t) const { return true; }
  // How a document's outputs are combined into its score. With K > 1 outputs per document (McRank),
  // `scores` and the derivatives have K elements per document, next to each other.
  virtual Link link() const { return {}; }
  // Null if it has none. Must not change while evaluate() runs.
  virtual LossState* state() const { return nullptr; }
  // The same loss, computed in the memory of another device, of which it keeps no reference to this
  // object. Null if there is no code for it: boosting then computes it on the CPU.
  virtual std::unique_ptr<DeviceLoss> on_device(const DeviceLossSite& site) const;
};

class Loss {
 public:
  virtual ~Loss() = default;
  virtual std::string name() const = 0;
  virtual LossTraits traits() const noexcept = 0;
  virtual LabelUse label_use() const { return {}; }
  // The data must outlive the bound loss. What depends on all training data (which grades exist) is
  // agreed on by the ranks of `comm`, each of which binds its own part.
  virtual std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator& comm) const = 0;
  // For losses over pairs: the same function of the pairs that are given as preferences
  // (Dataset::preferences) instead of pairs of different grades. Null for other losses.
  virtual std::unique_ptr<const Loss> over_preferences() const { return nullptr; }
  // Whether it means something only to trainers that advance its state (LossState).
  virtual bool needs_advancing() const { return false; }
  // For data that is not distributed.
  std::unique_ptr<const BoundLoss> bind(const Dataset& data) const;
};

// A loss with shared ownership. Never null, not even after a move, so it need not be checked.
class SharedLoss {
 public:
  template <std::derived_from<Loss> T>
  SharedLoss(std::unique_ptr<T> loss) : loss_(std::move(loss)) {
    if (!loss_) throw std::invalid_argument("a SharedLoss of nothing");
  }
  SharedLoss(const SharedLoss&) = default;
  SharedLoss& operator=(const SharedLoss&) = default;

  const Loss& operator*() const noexcept { return *loss_; }
  const Loss* operator->() const noexcept { return loss_.get(); }

 private:
  std::shared_ptr<const Loss> loss_;
};

const Catalog<Loss>& losses();
SharedLoss parse_loss(std::string_view name);
// Named "A+0.5*B": each part has its own slack, [Chakrabarti08] section 3.7.
SharedLoss sum_of_losses(std::vector<std::pair<double, SharedLoss>> parts);

}  // namespace podium
