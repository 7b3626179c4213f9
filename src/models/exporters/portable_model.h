// A saved model in terms of the features of the user's data: the input of exporters. The transform
// of the training data is merged into the model if that is exact: binning turns weights into stumps
// and splits into raw thresholds, log1p moves the thresholds of splits.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "models/exporters/exported_categories.h"
#include "podium/export.h"
#include "podium/model.h"

namespace podium {

struct PortableModel {
  std::string learner;
  std::vector<std::string> features;
  Model model;
  enum class Inputs { plain, log1p } inputs = Inputs::plain;  // log1p: linear, perceptron
  FeatureSchema schema = {};                                  // of the features
  ExportedCategories categories = {};                         // the numbers in the trees' sets
};

// The same as a model that scores data as read.
SavedModel as_saved(const PortableModel& portable);

// What a format supports, besides the kinds of model.
struct Capabilities {
  bool bias = false;     // if false: linear models drop the bias, forests get a tree of one leaf
  bool missing = false;  // a side for missing values at each split
  bool missing_fails = false;  // … which the reader ignores: every x < condition fails for them
  bool offset = false;         // a feature that is added to the score
  bool outputs = false;        // several outputs and a link
  bool log1p = false;          // of the inputs of linear models and perceptrons
  bool nested = false;         // trees are nested text
  bool categories = false;     // splits by sets of values
};

// Throws an Error (data) with the reason if the format cannot represent the model. Notes and the
// shift go to `exported`.
PortableModel make_portable(const SavedModel& saved, const Capabilities& can,
                            const ExportOptions& options, ExportedModel& exported);

// The saved model in terms of the data's features, before anything is adapted to what the format
// supports: transforms are merged, and the members of a blend are added up to one forest, or to one
// linear model, if they have such a sum.
PortableModel on_raw_features(const SavedModel& saved, const Capabilities& can,
                              std::string_view format);

// The lowest and the highest threshold of each feature.
struct ThresholdRange {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();

  bool is_empty() const noexcept { return low > high; }
};
std::vector<ThresholdRange> threshold_ranges(const Forest& forest);

}  // namespace podium
