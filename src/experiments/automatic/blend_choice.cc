#include "experiments/automatic/blend_choice.h"

#include <limits>

#include "models/blend/blend.h"

namespace podium {

std::vector<double> BlendChooser::values(const Candidate& candidate,
                                         const std::vector<std::size_t>& folds, int share) const {
  std::vector<double> out;
  for (const std::size_t query : judging_.queries(folds)) {
    const auto [split, place] = judging_.place(query);
    const TrainedCell& cell = cells_.at({candidate, split, share});
    out.push_back(cell.status == TrainedCell::Status::done
                      ? cell.per_query[place]
                      : std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

std::vector<double> BlendChooser::scaled_scores(const Candidate& candidate,
                                                const std::vector<std::size_t>& queries,
                                                int share) const {
  std::vector<double> out;
  for (const std::size_t query : queries) {
    const auto [split, place] = judging_.place(query);
    const TrainedCell& cell = cells_.at({candidate, split, share});
    const Dataset& test = judging_.split(split).data().test;
    for (std::size_t i = test.begin(place); i < test.end(place); ++i)
      out.push_back(cell.scores[i] / cell.test_scale);
  }
  return out;
}

std::vector<JudgedCandidate> BlendChooser::finalists(const std::vector<JudgedCandidate>& leaders,
                                                     const std::vector<std::size_t>& folds) const {
  std::vector<JudgedCandidate> out;
  for (const JudgedCandidate& leader : leaders) {
    if (out.size() >= most_members_) break;
    if (out.empty() ||
        !is_clearly_worse(values(leaders[0].candidate, folds), values(leader.candidate, folds)))
      out.push_back(leader);
  }
  return out;
}

BlendWeights BlendChooser::weights(const std::vector<JudgedCandidate>& members,
                                   const std::vector<std::size_t>& folds, Context& context) const {
  const std::vector<std::size_t> queries = judging_.queries(folds);
  std::vector<std::vector<double>> scores;
  for (const JudgedCandidate& member : members)
    scores.push_back(scaled_scores(member.candidate, queries));
  BlendOptions options;
  options.measure = cells_.terms().measure;
  options.convention = cells_.terms().convention;
  return fit_blend_weights(select_queries(judging_.data(), queries), scores, options, context);
}

BlendChoice BlendChooser::choose(const std::vector<JudgedCandidate>& leaders,
                                 const std::vector<std::size_t>& folds, Context& context) const {
  BlendChoice choice;
  choice.members = finalists(leaders, folds);
  choice.fit = weights(choice.members, folds, context);
  return choice;
}

std::vector<double> BlendChooser::values(const BlendChoice& choice,
                                         const std::vector<std::size_t>& folds, Context& context,
                                         int share) const {
  const std::vector<std::size_t> queries = judging_.queries(folds);
  const Dataset data = select_queries(judging_.data(), queries);
  std::vector<double> sum(data.documents());
  for (std::size_t m = 0; m < choice.members.size(); ++m)
    add_scaled(choice.fit.weights[m], scaled_scores(choice.members[m].candidate, queries, share),
               sum);
  return Evaluator({cells_.terms().measure}, cells_.terms().convention)
      .evaluate(data, sum, context)
      .per_query[0];
}

}  // namespace podium
