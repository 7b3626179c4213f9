// Training on clicks: a log becomes labelled data and a rewritten loss, for any learner that
// minimises one.
//
//   naive     a click counts 1
//   ipw       a click at position p counts 1/θ_p, θ_p no less than `clip` [Joachims17]
//   overlap   a click on i counts E_j/(E_i + E_j) against another document j, E how often each was
//             examined, Σ n θ_p: the weights of smallest variance under which both are examined
//             equally often [Li18]. At most 1, so nothing is clipped. For pair losses and λ-rules
//   affine    what counts is (c − b_p)/a_p, summed per document [Vardasbi20]. Sums may be below 0:
//             for squared error, which learns them; other losses are then refused
//   pairwise  a clicked document i against a skipped j counts 1/(t⁺_{p_i} t⁻_{p_j}); t is estimated
//             after each round from the loss of all pairs at a position [Hu19]
//   additive  the score is f(x) + b_p; b is fitted after each round and left out when scoring
//   dual      a click counts P(e_1)/P(e_k), and P(e) is learnt from clicks that count
//             P(r_1)/P(r_d), both by softmax losses, after each round [Ai18]
//   judged    labels from a click model: judgement.h
//
// overlap: with C_i clicks, E[C_i] = E_i γ_i, so i against j has the weight C_i E_j/(E_i + E_j), j
// against i C_j E_i/(E_i + E_j), in the ratio γ_i : γ_j as with 1/θ, whatever the common factor.
// That of 1/θ is 1, and lets single clicks at late positions decide; this one counts a comparison
// by what is known of it, the harmonic mean of the exposures. With trust bias a click counts
// P(relevant | click). A λ-rule that scales the pairs of a list by log2(1 + S)/S, as lambdamart
// does, keeps that ratio only in part: with many sessions ipw is better.
//
// naive, ipw and affine: the
// weights W_d of a query's clicks are added up per document, and the loss becomes Σ_d W_d L(only d
// is relevant), over the documents that were shown. For a pair loss that is the sum over pairs
// (clicked, other), for softmax −Σ W_d log softmax_d, for a λ-rule the pairs of DCG with the gains
// W. A loss that is not unchanged when all scores move (squared error, …) instead keeps its form
// and regresses on the estimate of relevance. Sessions of a query cost nothing: only the number of
// different documents matters.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "podium/click_model.h"
#include "podium/communicator.h"
#include "podium/loss.h"

namespace podium {

enum class Debias { naive, ipw, overlap, affine, pairwise, additive, dual, judged };

struct DebiasOptions {
  Debias debias = Debias::ipw;
  // ‹propensity-clip›: smallest propensity (dual: also relevance), relative to that of the first,
  // that a click is divided by.
  double clip = 0.05;
  double bias_regularisation = 0;  // pairwise: t ∝ (…)^{1/(1 + r)}
  double bias_l2 = 1;              // additive: penalty of b, in units of the mean curvature
};
const OptionTable<DebiasOptions>& debias_option_table();

// Methods that need to know which documents were shown together.
bool needs_sessions(Debias method);
// Methods that need propensities.
bool needs_propensities(Debias method);
// Methods that use DebiasOptions::clip.
bool clips_weights(Debias method);

struct DebiasedData {
  Dataset data;  // the documents shown; labels are estimates of relevance
  std::function<SharedLoss(const SharedLoss&)> rewrite_loss;  // none for `judged`
  double clipped = 0;           // share of the clicks whose propensity was clipped
  double effective_clicks = 0;  // (Σ w)² / Σ w² of the clicks' weights
  double largest_weight = 0;
};
// The queries and docids of all ranks' data, without features: what a log is matched with where
// each rank has a part of the data.
Dataset ids_of_all_ranks(const Dataset& data, Communicator& comm);
// The log must have been matched with the data or, under several ranks, with ids_of_all_ranks; what
// is returned is the rank's own.
DebiasedData debias_clicks(const Dataset& data, const ClickLog& log,
                           const Propensities* propensities, const DebiasOptions& options,
                           Context& context);

}  // namespace podium
