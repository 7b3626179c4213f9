// The systems of a comparison, as users list them:
//
//   lambdamart                     a learner with its defaults
//   lambdamart(leaves=10,l2=1)     with options that are fixed, and not tuned
//   linear(loss=listmle)           the loss of learners that take any; pointwise=λ adds to it
//   svm-map(bins=50,features=1-10) with its own preparation; also normalize=…, bin-rule=…,
//                                  impute=…, indicators=…, encode=…
//   feature, feature#2, feature#3  the best single feature, the second, the third
//   feature:bm25                   this feature alone
//   small=lambdamart(leaves=4)     with a name chosen by the user
//   auto(trials=8,learners=linear,mart)  the ranker that `auto` finds, judged by the validation
//   part blend(lambdamart,svm-map(C=1)) these systems, blended by weights found on the validation
//   part;
//                                  also folds=…, negative=…
//   theirs=scores:theirs.tsv       trained elsewhere: its scores on the test parts
//                                  (outside_scores.h)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "podium/training.h"

namespace podium {

struct System {
  std::string name;              // in tables; unique
  std::string learner;           // "scores": trained elsewhere; or "auto", "blend"
  Assignments given;             // the learner's options
  std::string loss;              // "": the learner's default
  double pointwise = 0;          // times the squared error, added to the loss
  std::string scores;            // the file of a system that was trained elsewhere
  std::string feature;           // the only one it sees; "": all
  Preparation preparation = {};  // overrides those of the comparison and the learner
  std::string file_name;         // the name as part of file names; unique
  std::vector<System> members;   // of a blend

  // Whether one learner is trained for it, so that it has a TrainingSpec.
  bool is_one_learner() const noexcept { return scores.empty() && !is_combined(); }
  bool is_combined() const noexcept { return learner == "auto" || learner == "blend"; }
};

// The learner of a system that was trained elsewhere.
inline constexpr std::string_view kOutside = "scores";

// Throws usage Errors for unknown learners and options, and for duplicate names.
std::vector<System> parse_systems(std::string_view list);

// Not for systems that were trained elsewhere. With additional options, as found by tuning.
Settings settings_of(const System& system, const Assignments& more = {});

// How to train one learner, with additional options; without measures.
TrainingSpec spec_of(const System& system, const Assignments& more = {});

// The system's own preparation, completed with that of the comparison; the selection of features is
// always the system's.
Preparation preparation_under(const Preparation& terms, const Preparation& own);

// The arguments of a command that trains the system, without data and measure.
std::vector<std::string> training_words(const System& system, const Assignments& more);

// A word quoted for a shell.
std::string shell_quoted(const std::string& word);

}  // namespace podium
