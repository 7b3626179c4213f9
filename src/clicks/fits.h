// One function per kind of click model; fit_click_model chooses. Each fills the parameters and the
// objective of the model.
#pragma once

#include <string>
#include <vector>

#include "clicks/examination_em.h"
#include "podium/click_model.h"

namespace podium {

struct ClickFitting {
  const ClickLog& log;
  const ClickFitOptions& options;
  BetaPrior prior;
  ThreadPool& pool;
};

// Positions whose θ is the reference: the first of each component. `values`: their θ.
struct Anchors {
  std::vector<char> fixed;
  std::vector<double> values;
};

// Notes in the model what the graph connects. Throws an Error if it has several components and
// nothing is assumed about them.
Anchors choose_anchors(const Connectivity& graph, const ClickFitOptions& options,
                       ClickModel& model);

// "{1 2}, {3}": the positions of each component.
std::string component_text(const Connectivity& graph);

void fit_pbm(const ClickFitting& fitting, const Anchors& anchors, ClickModel& model);
// Notes where the log is too sparse for it.
void note_sparse(const ClickModel& model, Context& context);
// γ of documents at θ that are known.
void fit_relevance(const ClickFitting& fitting, const std::vector<double>& theta,
                   ClickModel& model);
void fit_harvest(const ClickFitting& fitting, const Anchors& anchors, ClickModel& model);
// Notes positions whose parameters are no propensities. Throws a data Error if the first is one.
void fit_trust(const ClickFitting& fitting, Context& context, ClickModel& model);
// Notes what its means leave out.
void fit_ubm(const ClickFitting& fitting, Context& context, ClickModel& model);
// cascade, dcm and sdbn by counting, dbn by EM.
void fit_chain(const ClickFitting& fitting, ClickModel& model);
// Notes if the log does not connect its positions. `given`: as in fit_click_model.
void fit_regression(const ClickFitting& fitting, const Dataset& data,
                    const std::vector<double>* given, Context& context, ClickModel& model);
void fit_rates(const ClickFitting& fitting, ClickModel& model);

// How often each document was examined: Σ n θ_p.
void count_exposure(const ClickLog& log, ClickModel& model);

// Likelihood and perplexity of the training sessions and those held out.
void evaluate_click_model(const ClickLog& log, ClickModel& model);

// The click probabilities of a session: given the clicks above (for the likelihood), and without
// any knowledge of clicks (for perplexity).
struct SessionProbabilities {
  std::vector<double> conditional, marginal;
};
void predict_session(const ClickModel& model, std::span<const ShownDocument> shown,
                     SessionProbabilities& out);
// For models of cells.
double click_probability(const ClickModel& model, std::uint32_t document, std::uint32_t position);

}  // namespace podium
