// Names from papers are rows: a row gives the same bytes as its trainer with the row's loss and
// options spelled out.
#include <gtest/gtest.h>

#include "podium/training.h"
#include "support/toy_data.h"

namespace podium::spelling_test {
namespace {

struct Spelling {
  const char* row;
  const char* trainer;
  Assignments more = {};  // further options of the trainer
};

void PrintTo(const Spelling& spelling, std::ostream* out) {
  *out << spelling.row;
}

const Assignments kPlanes = {{"optimizer", "cutting-plane"}};

const Spelling kSpellings[] = {
    {"mart", "boosting"},
    {"lambdamart", "boosting"},
    {"mcrank", "boosting"},
    {"gbrank", "boosting"},
    {"isotonic", "boosting"},
    {"intervalrank", "boosting"},
    {"ranknet", "mlp"},
    {"lambdarank", "mlp"},
    {"listnet", "mlp"},
    {"listmle", "mlp"},
    {"rankcosine", "mlp"},
    {"ranksvm", "linear", kPlanes},
    {"svm-auc", "linear", kPlanes},
    {"svm-map", "linear", kPlanes},
    {"svm-ndcg", "linear", kPlanes},
    {"svm-ndcg-nc", "linear", kPlanes},
    {"svm-mrr", "linear", kPlanes},
    {"svm-combo", "linear", kPlanes},
    {"dorm", "linear", kPlanes},
    {"svm-acc", "linear", kPlanes},
};

class RowSpelledOut : public ::testing::TestWithParam<Spelling> {
 protected:
  const Dataset train_data = testing::noisy_linear(40, 12, 5, 1);
  const Dataset valid_data = testing::noisy_linear(20, 12, 5, 2);

  std::string model_of(TrainingSpec spec) const {
    testing::Bench bench(2);
    spec.measures = parse_measures("nDCG@10", spec.convention);
    SavedModel saved;
    saved.features = train_data.feature_names();
    saved.model = train(spec, train_data, &valid_data, bench.context).model;
    return to_json(saved);
  }
};

TEST_P(RowSpelledOut, GivesTheSameModel) {
  Assignments fewer;  // the same result in less time
  for (const Field& field : learners().at(GetParam().row).options()) {
    if (field.name == "trees") fewer.emplace_back("trees", "20");
    if (field.name == "epochs") fewer.emplace_back("epochs", "5");
    if (field.name == "C") fewer.emplace_back("C", "1");
  }
  const TrainingSpec row{.learner = GetParam().row, .options = fewer};
  const ChosenLearner chosen = choose_learner(row);
  ASSERT_TRUE(chosen.learner->loss());

  TrainingSpec spelled{.learner = GetParam().trainer, .options = GetParam().more};
  spelled.loss = parse_loss((*chosen.learner->loss())->name());  // as users write it
  for (const Field& field : learners().at(GetParam().trainer).options())
    for (const auto& [name, value] : chosen.settings.values())
      if (name == field.name && value != field.initial)
        spelled.options.emplace_back(name, to_text(value));
  EXPECT_EQ(model_of(row), model_of(spelled));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RowSpelledOut, ::testing::ValuesIn(kSpellings),
                         [](const auto& info) {
                           std::string name = info.param.row;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace podium::spelling_test
