// Explains a score: one number per feature, and all of them add up to the score.
//
//   linear models   weight · value; the base is the bias
//   forests         Shapley values of the path-dependent game [Lundberg20]: what the model expects
//                   when some features are known, the others averaged over the training documents
//                   that passed each split. The base is the expected score
//   blends          the members' contributions times their factors, by feature
//   perceptrons     integrated gradients [Sundararajan17] from the mean document (all standardised
//                   inputs 0), whose score is the base
//
// Forests with several outputs: Shapley values of each output, mapped through the link along the
// straight line from the expected outputs to the document's.
#pragma once

#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

struct Explanation {
  double score = 0;
  double base = 0;
  std::vector<double> contributions;  // one per input feature of the model, by SavedModel::features
  // score − base − Σ contributions: the error of single precision (perceptrons) or of the
  // quadrature (several outputs); about 10⁻¹⁶ of the score otherwise.
  double rest = 0;
};

// One per document, in the data's order. Data as read: query normalisation needs whole queries.
std::vector<Explanation> explain(const SavedModel& model, const Dataset& data, Context& context);

// The same for the inputs of the model itself; binning turns a feature into several inputs.
std::vector<Explanation> explain(const Model& model, const Dataset& inputs, Context& context);

// How contributions are computed: "terms", "shapley", "integrated gradients"; of all
// members of a blend, "shapley + terms".
std::string explanation_method(const Model& model);

}  // namespace podium
