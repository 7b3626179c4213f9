// Fits the preparation of training data, including choices that validation data makes: what missing
// values become for learners whose models have no place for them.
#pragma once

#include "podium/evaluator.h"
#include "podium/measure.h"
#include "podium/transform.h"

namespace podium {

struct PreparationJudge {
  const Dataset* valid = nullptr;  // as read; null: there is none
  MeasurePtr measure;
  Convention convention;
};

// As fit_training_transform(), with `impute` settled. If it is automatic and a number of the
// training data is missing somewhere, candidates are compared by ridge regression on the validation
// data (a sample of large data), and the observer gets a note with their values; without validation
// data it is `mean` with indicators, which needs no other documents of the query when scoring. Data
// without missing values is not touched. All ranks must call it.
Transform fit_preparation(TransformOptions steps, const Dataset& train,
                          const PreparationJudge& judge, Context& context);

}  // namespace podium
