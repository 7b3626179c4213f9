#include "clicks/relevance_regression.h"

#include <algorithm>

#include <fmt/format.h>

#include "clicks/shown_documents.h"
#include "core/spec.h"
#include "podium/error.h"
#include "podium/measure.h"

namespace podium {
namespace {

// Fits are steps of the click model's fit: they neither report progress nor keep checkpoints.
Context quiet_context(Context& outer, Observer& observer) {
  return {outer.seed, outer.pool, outer.comm, observer, outer.stop, nullptr, outer.device};
}

TrainingSpec regression_spec(const std::string& learner) {
  const Spec parsed = parse_spec(learner, "learner");
  TrainingSpec spec;
  spec.learner = parsed.name;
  spec.options = parsed.given;
  spec.measures = parse_measures("nDCG@10", spec.convention);
  if (!choose_learner(spec).learner->takes_any_loss())
    throw Error(ErrorCode::usage,
                fmt::format("‹relevance-learner›: {} cannot learn probabilities, because its loss "
                            "is fixed; boosting, linear and mlp can",
                            spec.learner));
  return spec;
}

}  // namespace

RelevanceRegression::RelevanceRegression(const Dataset& data, const ClickLog& log,
                                         const std::string& learner,
                                         const std::vector<double>& relevance, Context& context)
    : spec_(regression_spec(learner)),
      context_(context),
      number_(numbers_among_shown(log)),
      labels_(std::make_shared<SoftLabels>()) {
  const Dataset shown = shown_documents(data, log, relevance, {});
  numbers_ = std::make_shared<const DocumentNumbers>(shown);
  spec_.loss = posterior_loss(numbers_, labels_);
  Observer silent;
  Context quiet = quiet_context(context, silent);
  data_ = prepare(spec_, shown, nullptr, quiet);
  std::vector<std::uint32_t> row_of_number(shown.documents());
  for (std::size_t q = 0; q < data_.train.queries(); ++q)
    for (std::size_t d = data_.train.begin(q); d < data_.train.end(q); ++d)
      row_of_number[numbers_->of(data_.train, q, d)] = static_cast<std::uint32_t>(d);
  for (const std::uint32_t number : number_) row_.push_back(row_of_number[number]);
}

std::vector<double> RelevanceRegression::fit(const SoftLabels& labels) {
  double total = 0;
  for (const double n : labels.count) total += n;
  // Counts average 1, so that penalties mean what they mean for judged data.
  const double scale = total > 0 ? static_cast<double>(number_.size()) / total : 1;
  labels_->relevance.resize(number_.size());
  labels_->count.resize(number_.size());
  for (std::size_t d = 0; d < number_.size(); ++d) {
    labels_->relevance[number_[d]] = labels.relevance[d];
    labels_->count[number_[d]] = scale * labels.count[d];
  }
  Observer silent;
  Context quiet = quiet_context(context_, silent);
  const Model model = choose_learner(spec_).learner->train(problem_of(spec_, data_), quiet).model;
  const std::vector<double> fitted = score(model, data_.train, quiet);
  std::vector<double> scores;
  for (const std::uint32_t row : row_) scores.push_back(fitted[row]);
  return scores;
}

}  // namespace podium
