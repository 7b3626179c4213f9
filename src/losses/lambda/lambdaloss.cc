// LambdaLoss [Wang18]: NDCG-Loss2++ and NDCG-Loss2, as λ-rules with the weights of
// distance_weights.cc. For a fixed ranking they are upper bounds of the loss in nDCG@k.
//
// Differs from [Wang18]: the logarithm is the natural one, a factor of ln 2.
#include "core/spec.h"
#include "losses/catalog.h"
#include "losses/lambda/lambda.h"
#include "measures/gain.h"

namespace podium {
namespace {

enum class DistanceLoss { loss2_plus_plus, loss2 };

struct LambdaLossOptions {
  double mu = 10;
  DistanceLoss form = DistanceLoss::loss2_plus_plus;
  std::string gain = "exp2";
  std::int64_t k = 0;

  static const OptionTable<LambdaLossOptions>& table() {
    static const auto options =
        OptionTable<LambdaLossOptions>()
            .add("mu", &LambdaLossOptions::mu,
                 "loss2++: weight of the distance of two ranks relative to |ΔnDCG|", at_least(0))
            .add("form", &LambdaLossOptions::form, "loss2++, or loss2: the distance of ranks alone",
                 {{"loss2++", DistanceLoss::loss2_plus_plus}, {"loss2", DistanceLoss::loss2}})
            .add("gain", &LambdaLossOptions::gain, "gain of a grade: exp2, linear, or a table")
            .add("k", &LambdaLossOptions::k, "cut-off of nDCG; unset: the whole list", at_least(1));
    return options;
  }
};

const std::vector<Field>& all_fields() {
  static const std::vector<Field> fields = [] {
    std::vector<Field> all = LambdaOptions::table().fields();
    const auto& more = LambdaLossOptions::table().fields();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return fields;
}

std::unique_ptr<const Loss> make(const Settings& settings) {
  const LambdaLossOptions options = LambdaLossOptions::table().read(settings);
  DistanceForm form;
  if (options.k > 0) form.depth = static_cast<std::size_t>(options.k);
  const bool distance_alone = options.form == DistanceLoss::loss2;
  form.rank_share = distance_alone ? 0 : 1;
  form.mu = distance_alone ? 1 : options.mu;
  return lambda_loss(format_spec(kLambdaLoss.name, all_fields(), settings),
                     LambdaOptions::table().read(settings), distance_weights(options.gain, form),
                     Gain(options.gain).label_use());
}

}  // namespace

const Entry<Loss> kLambdaLoss = {"lambdaloss", "LambdaLoss's NDCG-Loss2++ and NDCG-Loss2", "Wang18",
                                 all_fields, make};

}  // namespace podium
