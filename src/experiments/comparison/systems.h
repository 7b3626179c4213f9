// The systems of a comparison, as users list them:
//
//   lambdamart                     a learner with its defaults
//   lambdamart(leaves=10,l2=1)     with options that are fixed, and not tuned
//   linear(loss=listmle)           the loss of learners that take any; pointwise=λ adds to it
//   svm-map(bins=50,features=1-10) prepared in a way of its own; also normalize=…, bin-rule=…
//   feature, feature#2, feature#3  the best single feature, the second, the third
//   feature:bm25                   this feature alone
//   small=lambdamart(leaves=4)     under a name of the user's
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "podium/training.h"

namespace podium {

struct System {
  std::string name;  // in tables; no two systems have the same
  std::string learner;
  Assignments given;             // the learner's options
  std::string loss;              // "": the learner's own
  double pointwise = 0;          // times the squared error, added to the loss
  std::string feature;           // the only one it sees; "": all
  Preparation preparation = {};  // its own, before that of the comparison and of the learner
  std::string file_name;         // the name as part of a file's name; no two systems have the same
};

// Usage errors for unknown learners and options, and for names that occur twice.
std::vector<System> parse_systems(std::string_view list);

// With more options than those given, as tuning finds them.
Settings settings_of(const System& system, const Assignments& more = {});

// How to train it, with more options than those given; without measures.
TrainingSpec spec_of(const System& system, const Assignments& more = {});

// What a system wants of its own, and where it wants nothing what the comparison says; features are
// always a system's own.
Preparation preparation_under(const Preparation& terms, const Preparation& own);

// The words of a command line that trains the system, without data and measure.
std::vector<std::string> training_words(const System& system, const Assignments& more);

// A word as a shell reads it back.
std::string shell_quoted(const std::string& word);

}  // namespace podium
