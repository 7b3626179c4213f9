// What gradient trainers need from a kind of model: the scores of a list of documents as a function
// of one vector of parameters, and the derivative of that function.
//
// Life of a step: set(parameters) → for each query, on any thread, forward and, once the loss has
// provided its derivatives by the scores, backward into sums → pull_back(sums) is the gradient.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/order_free_sums.h"
#include "models/mlp/mlp.h"
#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

class ScoringFunction {
 public:
  virtual ~ScoringFunction() = default;

  virtual std::size_t parameters() const = 0;
  // Random if necessary; a pure function of the seed.
  virtual std::vector<double> start(std::uint64_t seed) const = 0;
  // 1 for parameters that weight decay applies to, 0 for biases.
  virtual std::vector<double> decay_mask() const = 0;

  virtual void set(std::span<const double> parameters) = 0;
  // What a thread keeps between forward and backward.
  struct Scratch {
    virtual ~Scratch() = default;
  };
  virtual std::unique_ptr<Scratch> make_scratch() const = 0;
  virtual void forward(const Rows& rows, std::span<double> scores, Scratch& scratch) const = 0;
  // One summand for each of the first sums() elements, for the documents of the last forward, a
  // query's.
  virtual void backward(const Rows& rows, std::span<const double> slope, Scratch& scratch,
                        OrderFreeSums& sums) const = 0;
  virtual std::size_t sums() const { return parameters(); }
  // Converts sums over all documents into the gradient by the parameters.
  virtual std::vector<double> pull_back(std::vector<double> sum) const { return sum; }

  virtual Model model(std::span<const double> parameters) const = 0;
};

// <v, (x − mean) / deviation> + bias, with deviations within queries; the model is a plain Linear
// of the original features. Features that are constant within queries get no weight.
enum class Bias { none, fitted };
std::unique_ptr<ScoringFunction> linear_function(const Dataset& train, Bias bias,
                                                 const Linear* start, Context& context);

// A multi-layer perceptron with these hidden widths, with inputs standardised on the training data;
// or one to continue.
std::unique_ptr<ScoringFunction> mlp_function(const Dataset& train,
                                              std::span<const std::size_t> hidden,
                                              Mlp::Activation activation, Context& context);
std::unique_ptr<ScoringFunction> mlp_function(const Mlp& start);

}  // namespace podium
