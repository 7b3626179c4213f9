#include "cli/missing_options.h"

namespace podium::cli {

void MissingOptions::add(CLI::App& command) {
  command
      .add_option("--impute", impute,
                  "what missing numbers become, also when scoring: query-min, query-mean, mean, "
                  "median, zero, none, auto (default: auto, which compares some of them on the "
                  "validation data if there are missing values; trees: none, splits decide)")
      ->check(one_of(choice_names(imputation_choices())));
  command
      .add_option("--indicators", indicators,
                  "add an input of 0 and 1 for each feature with missing values: yes, no, auto "
                  "(default: auto)")
      ->check(one_of(choice_names(indicator_choices())));
  command
      .add_option("--encode", encode,
                  "how categories become numbers: target, one-hot, hash, auto (default: auto, "
                  "which is one-hot for up to 16 values and target for more)")
      ->check(one_of(choice_names(encoding_choices())));
}

void MissingOptions::set(Preparation& preparation) const {
  preparation.impute = wanted_imputation(impute);
  preparation.indicators = wanted_indicators(indicators);
  preparation.encode = wanted_encoding(encode);
}

}  // namespace podium::cli
