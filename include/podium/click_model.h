// Click models: what explains the clicks of a log, the document or the place where it was shown.
//
//   pbm       P(c) = θ_p γ_d: examined by position, relevant by document
//   trust     P(c) = a_p γ_d + b_p, a_p = θ_p (ε⁺ − ε⁻_p), b_p = θ_p ε⁻_p [Vardasbi20]
//   cascade   read from the top until the first click
//   dcm       as cascade, goes on after a click at p with probability λ_p
//   sdbn      as cascade, goes on after a click unless satisfied (σ_d)
//   dbn       as sdbn, and goes on after each document with probability γ
//   ubm       P(c) = θ(p, distance to the last click) γ_d
//   ctr-rank (also ctr), ctr-doc   one rate per position, per document
//   harvest   θ from documents that were shown at several positions [Agarwal19]; swap is another
//             name: two documents swapped at random are the pair with equal weights
//   regression-em   pbm with γ_d = σ(f(x_d)), f learnt from the documents' features [Wang18b]
// [Chuklin15] describes them all.
//
// Identifiability. A log determines θ only up to one factor per connected component of the graph of
// positions and documents (a document connects the positions it was shown at, if it was clicked).
// fit_click_model refuses to compare components unless `assume` says how. For ubm the graph is that
// of pairs (position, distance to the last click); trust has two numbers per position, so that a
// connection takes two documents; γ of dbn is free unless a document was shown at two positions.
// regression-em compares components, and notes that its ratios rest on f: on documents of the same
// features having the same relevance, whatever the position.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "podium/click_log.h"
#include "podium/context.h"
#include "podium/options.h"

namespace podium {

enum class ClickModelKind {
  pbm,
  trust,
  cascade,
  dcm,
  sdbn,
  dbn,
  ubm,
  ctr_rank,
  ctr_doc,
  harvest,
  regression_em
};
const Choices<ClickModelKind>& click_model_kinds();
// Whether the model describes whole sessions, not only cells.
bool needs_sessions(ClickModelKind kind);
// Whether the model needs the features of the documents.
bool needs_features(ClickModelKind kind);

struct ClickFitOptions {
  ClickModelKind model = ClickModelKind::pbm;
  std::string prior = "1.1,1.1";  // Beta(α, β) of every probability
  std::int64_t iterations = 5000;
  double tolerance = 1e-10;  // relative change of the objective
  std::string assume = {};   // "1/p^eta", for logs with several components
  // regression-em: f, and how often it is fitted.
  std::string relevance_learner = "boosting(trees=100)";
  std::int64_t refits = 90;
  double refit_tolerance = 1e-6;  // relative change of the objective in three refits
};
const OptionTable<ClickFitOptions>& click_fit_option_table();

// Positions that a log connects.
struct Connectivity {
  std::vector<std::uint32_t> component;  // of each position, from 0; kNever if never shown
  std::size_t components = 0;
  std::vector<double> linked;  // documents shown at p and p + 1, and clicked
  static constexpr std::uint32_t kNever = UINT32_MAX;
};
Connectivity connectivity(const ClickLog& log);

struct ProbabilityInterval {
  double low = 0, high = 1;
};

// How well a model predicts.
struct ClickFit {
  double log_likelihood = 0;        // per session
  double perplexity = 0;            // mean over positions
  std::vector<double> by_position;  // perplexity
};

struct ClickModel {
  ClickModelKind kind = ClickModelKind::pbm;
  std::vector<double> propensities;            // θ_p; element 0 is position 1
  std::vector<ProbabilityInterval> intervals;  // 95 %, of θ_p; empty if there are none
  std::vector<double> slope, offset;           // trust: a_p, b_p
  std::vector<double> continuation;            // dcm: λ_p
  double perseverance = 1;                     // dbn: γ
  std::vector<std::vector<double>>
      by_distance;                   // ubm: θ[p − 1][d − 1], d = p if there was no click
  std::vector<double> attraction;    // of each document of the log: γ_d (α_d in chain models)
  std::vector<double> satisfaction;  // sdbn, dbn: σ_d
  std::vector<double> exposure;      // of each document: how often it was examined
  std::size_t components = 0;
  bool assumed = false;  // components were put together by an assumption
  // regression-em: f as it was spelled, how often it was fitted and why no more, and the seed.
  std::string relevance_learner;
  std::int64_t refits = 0;
  std::string ended;
  std::uint64_t seed = 0;
  std::vector<double> objective;  // penalised log-likelihood after each step; never falls
  double log_likelihood = 0;      // of the training sessions
  ClickFit training, held_out, null_training, null_held_out;  // null: one click-through rate

  // What the model believes of a document: γ, or α σ.
  double relevance(std::size_t document) const;
};

// Throws an Error if the log cannot tell what is asked for. `given`: keep these θ, one per position
// of the log or more. `data`: for models that need features; the log was matched with it.
ClickModel fit_click_model(const ClickLog& log, const ClickFitOptions& options, Context& context,
                           const std::vector<double>* given = nullptr,
                           const Dataset* data = nullptr);

// Estimates of bias by position, as `clicks fit` writes them. JSON: {"format": "podium-clicks", …}.
struct Propensities {
  std::string model;
  std::vector<double> examination;    // θ_p
  std::vector<double> slope, offset;  // trust: a_p, b_p; else empty
  std::size_t assumed = 0;            // components that an assumption compares; 0: none does

  // θ of a position that it has.
  double at(std::uint32_t position) const { return examination[position - 1]; }
};
// Throws a data Error if the log has later positions than these; nothing is extrapolated.
void require_positions(const Propensities& propensities, const ClickLog& log);
// Of a log with a column of propensities: their mean at each position.
Propensities propensities_of(const ClickLog& log);
std::string to_json(const ClickModel& model, const ClickLog& log);
Propensities load_propensities(const std::string& path);
Propensities propensities_of(const ClickModel& model);

}  // namespace podium
