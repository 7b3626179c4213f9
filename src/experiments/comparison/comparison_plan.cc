#include "experiments/comparison/comparison_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "experiments/comparison/training_run.h"
#include "podium/error.h"
#include "podium/significance.h"
#include "podium/transform.h"

namespace podium {
namespace {

std::size_t find_baseline(const std::string& wanted, const std::vector<System>& systems) {
  std::vector<std::string> names;
  for (const System& system : systems) names.push_back(system.name);
  if (!wanted.empty()) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end())
      throw Error(ErrorCode::usage, fmt::format("‹baseline› '{}' is not among ‹learners›{}", wanted,
                                                suggestion(wanted, names)));
    return static_cast<std::size_t>(found - names.begin());
  }
  const auto feature = std::find(names.begin(), names.end(), "feature");
  return feature == names.end() ? names.size() - 1
                                : static_cast<std::size_t>(feature - names.begin());
}

std::unique_ptr<Design> make_design(const ComparisonOptions& options, const Reading& reading,
                                    Context& context) {
  if (std::filesystem::is_directory(options.data)) {
    if (options.trials > 0)
      throw Error(ErrorCode::usage, "‹trials› splits one file: give ‹data› a file");
    return fold_folder(options.data, reading, context);
  }
  if (options.trials > 0)
    return random_trials(
        options.data,
        {static_cast<std::size_t>(options.trials), static_cast<std::size_t>(options.train_queries),
         static_cast<std::size_t>(options.valid_queries)},
        reading, context);
  return cross_validation(options.data, static_cast<int>(options.folds), reading, context);
}

TrainingTerms terms_of(const ComparisonOptions& options) {
  TrainingTerms terms;
  terms.convention = find_convention(options.convention);
  terms.measures = parse_measures(options.measures, terms.convention);
  terms.preparation = {wanted_normalization(options.normalize), options.bins,
                       wanted_bin_rule(options.bin_rule)};
  terms.preparation.impute = wanted_imputation(options.impute);
  terms.preparation.indicators = wanted_indicators(options.indicators);
  terms.preparation.encode = wanted_encoding(options.encode);
  if (options.tune > 0)
    terms.tuning = TuningPlan{static_cast<std::size_t>(options.tune), options.search};
  return terms;
}

// max-T flips the signs of differences itself: it is a correction only for the randomisation test.
Correction correction_for(const ComparisonOptions& options) {
  const bool flips = options.test == PairedTest::randomisation;
  if (options.correction == Correction::of_the_test)
    return flips ? Correction::max_t : Correction::holm;
  if (options.correction == Correction::max_t && !flips)
    throw Error(
        ErrorCode::usage,
        fmt::format(
            "‹correction max-t› is a randomisation test: with ‹test {}› give holm, bh or none",
            choice_name(paired_tests(), options.test)));
  return options.correction;
}

void require_features(const std::vector<System>& systems, const Design& design, Context& context) {
  std::vector<std::string> names;
  for (const System& system : systems)
    if (!system.feature.empty()) names.push_back(system.feature);
  if (!names.empty()) find_features(names, design.load(0, context).train);
}

}  // namespace

ComparisonPlan plan_comparison(const ComparisonOptions& options, const ComparisonRun& run,
                               std::size_t keep_bytes, Context& context) {
  ComparisonPlan plan;
  plan.options = options;
  plan.options.correction = correction_for(options);
  plan.reading = run.reading;
  plan.folds_to = run.folds_to;
  plan.command = run.command;
  plan.version = run.version;
  plan.spelling = run.spelling;
  plan.seed = context.seed;
  plan.systems = parse_systems(options.learners);
  plan.baseline = find_baseline(options.baseline, plan.systems);
  plan.terms = terms_of(options);
  if (!options.bin_rule.empty() &&
      std::none_of(plan.systems.begin(), plan.systems.end(), [&](const System& system) {
        return system.is_one_learner() && preparation_of(system, plan.terms).bins > 0;
      }))
    throw Error(ErrorCode::usage, "‹bin-rule› needs ‹bins›: no system uses bins");
  for (const MeasurePtr& measure : plan.terms.measures)
    plan.labels.push_back(measure_label(*measure, plan.terms.convention));
  plan.design = make_design(
      options, {run.reading, options.without, plan.terms.convention.relevant_from, keep_bytes},
      context);
  require_features(plan.systems, *plan.design, context);
  return plan;
}

CellFiles cell_files(const ComparisonPlan& plan, std::size_t fold) {
  CellFiles files{plan.design->files(fold), plan.reading, plan.options.without};
  if (plan.design->kind() == "folds") return files;
  // Written as LETOR text, whatever the format of the data.
  files.reading = {};
  files.reading.absent = plan.reading.absent;
  files.reading.first_feature = plan.reading.first_feature;
  for (std::string* file : {&files.data.train, &files.data.valid, &files.data.test})
    *file = (plan.folds_to / *file).string();
  return files;
}

const Choices<Correction>& corrections() {
  static const Choices<Correction> choices = {{"max-t", Correction::max_t},
                                              {"holm", Correction::holm},
                                              {"bh", Correction::bh},
                                              {"none", Correction::none}};
  return choices;
}

const OptionTable<ComparisonOptions>& comparison_option_table() {
  using Options = ComparisonOptions;
  static const auto table =
      OptionTable<Options>()
          .add("measures", &Options::measures,
               "measures, separated by commas; the first is used for choosing and tuning")
          .add("convention", &Options::convention, "convention for computing measures")
          .add("folds", &Options::folds, "number of folds for cross-validating a single file",
               between(3, 1000))
          .add("trials", &Options::trials,
               "use this many random splits of a single file instead of folds; 0: use folds",
               at_least(0))
          .add("train-queries", &Options::train_queries, "training queries per trial", at_least(1))
          .add("valid-queries", &Options::valid_queries, "validation queries per trial",
               at_least(1))
          .add("without", &Options::without, "features to leave out, e.g. 1-10,15")
          .add("normalize", &Options::normalize,
               "rescale features within each query: query-minmax, query-zscore, query-percentile, "
               "none (default: what each learner prescribes)")
          .add("bins", &Options::bins,
               "replace each feature by indicators at this many thresholds; 0: what each learner "
               "prescribes",
               between(0, 65536))
          .add("bin-rule", &Options::bin_rule,
               "how to place these thresholds: quantile, even (default: what each learner "
               "prescribes)")
          .add("impute", &Options::impute,
               "what missing numbers become: query-min, query-mean, mean, median, zero, none, auto "
               "(default: auto for learners without a place for them, chosen on the validation "
               "part)")
          .add("indicators", &Options::indicators,
               "add an input of 0 and 1 for each feature with missing values: yes, no, auto "
               "(default: auto)")
          .add("encode", &Options::encode,
               "how categories become numbers: target, one-hot, hash, auto (default: auto for "
               "learners that cannot use them as they are)")
          .add("tune", &Options::tune,
               "tuning trials per learner on the validation part; 0: use the default options",
               between(0, 100000))
          .add("search", &Options::search, "how trials are chosen", search_methods())
          .add("seeds", &Options::seeds,
               "number of training seeds, to show how much of a difference is due to chance",
               between(1, 1000))
          .add("baseline", &Options::baseline,
               "the system that others are tested against (default: feature, or the last one)")
          .add("test", &Options::test, "the test whose p-values are shown", paired_tests())
          .add("correction", &Options::correction,
               "correction for multiple comparisons (default: max-t, or holm with tests other than "
               "randomisation)",
               corrections())
          .add("alpha", &Options::alpha, "significance level", Range{0, 0.5, Range::Low::open})
          .add("permutations", &Options::permutations,
               "number of permutations in the randomisation tests", between(100, 10'000'000));
  return table;
}

}  // namespace podium
