#include "cli/other_names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <unistd.h>

#include "podium/error.h"

namespace podium::cli {
namespace {

struct OtherName {
  std::string_view other, own;
};

// Underscores are written as dashes.
constexpr auto kOtherNames = std::to_array<OtherName>({
    {"n-estimators", "trees"},
    {"n-estimators", "rounds"},
    {"n-estimators", "epochs"},
    {"num-iterations", "trees"},
    {"num-iterations", "rounds"},
    {"num-iterations", "epochs"},
    {"num-boost-round", "trees"},
    {"num-boost-round", "rounds"},
    {"num-boost-round", "epochs"},
    {"num-trees", "trees"},
    {"num-trees", "rounds"},
    {"num-trees", "epochs"},
    {"iterations", "trees"},
    {"iterations", "rounds"},
    {"iterations", "epochs"},
    {"num-leaves", "leaves"},
    {"max-leaves", "leaves"},
    {"max-leaf-nodes", "leaves"},
    {"eta", "learning-rate"},
    {"shrinkage-rate", "learning-rate"},
    {"depth", "max-depth"},
    {"max-bin", "max-bins"},
    {"border-count", "max-bins"},
    {"min-child-samples", "min-docs"},
    {"min-data-in-leaf", "min-docs"},
    {"min-samples-leaf", "min-docs"},
    {"min-child-weight", "min-curvature"},
    {"min-sum-hessian-in-leaf", "min-curvature"},
    {"reg-lambda", "l2"},
    {"lambda-l2", "l2"},
    {"l2-leaf-reg", "l2"},
    {"l2-regularization", "l2"},
    {"min-split-gain", "min-gain"},
    {"min-split-loss", "min-gain"},
    {"gamma", "min-gain"},
    {"colsample-bytree", "feature-fraction"},
    {"rsm", "feature-fraction"},
    {"subsample", "query-fraction"},
    {"bagging-fraction", "query-fraction"},
    {"drop-rate", "dart"},
    {"rate-drop", "dart"},
    {"skip-drop", "dart-skip"},
    {"monotone-constraints", "monotone"},
    {"lambdarank-truncation-level", "truncation"},
    {"lambdarank-norm", "norm"},
    {"sigmoid", "sigma"},
    {"max-iter", "epochs"},
    {"max-iter", "max-passes"},
    {"early-stopping-rounds", "early-stopping"},
    {"early-stopping-round", "early-stopping"},
    {"n-iter-no-change", "early-stopping"},
    {"eval-at", "measure"},
    {"eval-metric", "measure"},
    {"metric", "measure"},
    {"n-jobs", "threads"},
    {"num-threads", "threads"},
    {"nthread", "threads"},
    {"thread-count", "threads"},
    {"random-state", "seed"},
    {"random-seed", "seed"},
    {"device-type", "device"},
    {"task-type", "device"},
    {"verbosity", "quiet"},
    {"silent", "quiet"},
    {"categorical-feature", "categorical"},
    {"categorical-features", "categorical"},
    {"cat-features", "categorical"},
    {"ignored-features", "ignore"},
    {"pairs", "preferences"},
    {"learn-pairs", "preferences"},
});

}  // namespace

std::vector<std::string> own_names(std::string_view argument) {
  if (!argument.starts_with("--")) return {};
  std::string plain(argument.substr(2));
  std::replace(plain.begin(), plain.end(), '_', '-');
  std::vector<std::string> names = {"--" + plain};
  for (const OtherName& name : kOtherNames)
    if (name.other == plain) names.push_back("--" + std::string(name.own));
  return names;
}

void refuse_file_of_pairs(const Assignments& given) {
  for (const auto& [name, text] : given)
    if (name == "pairs" &&
        (text.find_first_of("./") != text.npos || access(text.c_str(), F_OK) == 0))
      throw Error(ErrorCode::usage,
                  fmt::format("--pairs: '{0}' is not one of average, sum; pairs to learn from are "
                              "--preferences {0}",
                              text));
}

}  // namespace podium::cli
