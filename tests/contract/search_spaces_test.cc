// Learners accept every value that tuning may try.
#include <gtest/gtest.h>

#include "podium/learner.h"

namespace podium::search_spaces_test {
namespace {

TEST(SearchSpaces, HaveOnlyValuesThatTheLearnerAccepts) {
  for (const Entry<Learner>* entry : learners().entries())
    for (const Field& field : entry->options()) {
      if (!field.search) continue;
      for (const double share : {0.0, 0.1, 0.37, 0.5, 0.81, 0.999999}) {
        const std::string text = field.search->at(share, field.initial);
        EXPECT_NO_THROW(entry->make(Settings(entry->options(), {{field.name, text}})))
            << entry->name << " --" << field.name << " " << text;
      }
    }
}

TEST(SearchSpaces, ExistUnlessTheLearnerChoosesByItself) {
  for (const char* name : {"lambdamart", "mart", "mcrank", "gbrank", "intervalrank", "ranknet",
                           "lambdarank", "listnet", "mlp", "smoothrank", "rankboost", "frank",
                           "adarank", "coordinate-ascent", "directrank", "directrank-trees"}) {
    const auto& fields = learners().at(name).options();
    EXPECT_TRUE(std::any_of(fields.begin(), fields.end(), [](const Field& f) {
      return f.search.has_value();
    })) << name;
  }
  // The structural SVMs follow a path of C, which is cheaper than trials.
  for (const char* name : {"ranksvm", "svm-map", "svm-ndcg", "linear", "feature"})
    for (const Field& field : learners().at(name).options())
      EXPECT_FALSE(field.search) << name << " --" << field.name;
}

}  // namespace
}  // namespace podium::search_spaces_test
