#include "server/served_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/output_file.h"
#include "podium/error.h"
#include "server/model_files.h"
#include "support/temporary_folder.h"

namespace podium::served_models_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ServedModelsTest : public ::testing::Test {
 protected:
  std::string save(const std::string& name, const SavedModel& model) {
    const std::string path = folder_.file(name);
    save_model(model, path);
    return path;
  }
  std::vector<std::string> refresh(ServedModels& shelf) {
    std::vector<std::string> said;
    shelf.refresh([&](const std::string& line) { said.push_back(line); });
    return said;
  }
  static double weight_of_b(const ServedModels& shelf) {
    return std::get<Linear>(shelf.find("")->saved().model).weights[1];
  }

  testing::TemporaryFolder folder_;
};

TEST(ModelArgument, NamesAndFiles) {
  const auto parsed = [](const char* argument) {
    const auto [name, path] = parse_model_argument(argument);
    return name + " " + path;
  };
  EXPECT_EQ(parsed("models/best.json"), "best models/best.json");
  EXPECT_EQ(parsed("best.json.zst"), "best best.json.zst");
  EXPECT_EQ(parsed("new=models/best.json"), "new models/best.json");
  EXPECT_EQ(parsed("runs/C=1/svm.json"), "svm runs/C=1/svm.json");
}

TEST_F(ServedModelsTest, FindsByName) {
  const ServedModels shelf(
      {{"x", save("x.json", testing::linear_model())}, {"y", save("y.json", testing::stump())}});
  EXPECT_EQ(shelf.first(), "x");
  EXPECT_THAT(shelf.names(), ElementsAre("x", "y"));
  EXPECT_EQ(shelf.find(""), shelf.find("x"));
  EXPECT_EQ(shelf.find("y")->saved().learner, "mart");
  EXPECT_EQ(shelf.find("z"), nullptr);
}

TEST_F(ServedModelsTest, LoadsAChangedFileAgain) {
  const std::string path = save("x.json", testing::linear_model(2));
  ServedModels shelf({{"x", path}});
  EXPECT_THAT(refresh(shelf), IsEmpty());
  const auto old = shelf.find("x");
  save_model(testing::linear_model(-2), path);
  EXPECT_THAT(refresh(shelf), ElementsAre(HasSubstr("model x: reloaded")));
  EXPECT_EQ(weight_of_b(shelf), -2);
  EXPECT_EQ(std::get<Linear>(old->saved().model).weights[1], 2);  // a running request keeps its own
  EXPECT_THAT(refresh(shelf), IsEmpty());
}

TEST_F(ServedModelsTest, ABrokenFileLeavesTheOldModel) {
  const std::string path = save("x.json", testing::linear_model(2));
  ServedModels shelf({{"x", path}});
  write_file(path, "{");
  EXPECT_THAT(refresh(shelf), ElementsAre(HasSubstr("model x: the old one is kept")));
  EXPECT_THAT(refresh(shelf), IsEmpty());  // reported once
  EXPECT_EQ(weight_of_b(shelf), 2);
  EXPECT_THAT(shelf.all()[0].problem, HasSubstr("x.json"));
  EXPECT_EQ(shelf.all()[0].failures, 1U);
  std::filesystem::remove(path);
  EXPECT_THAT(refresh(shelf), ElementsAre(HasSubstr("cannot be opened")));
  EXPECT_EQ(weight_of_b(shelf), 2);
  save_model(testing::linear_model(5), path);
  EXPECT_THAT(refresh(shelf), ElementsAre(HasSubstr("reloaded")));
  EXPECT_EQ(weight_of_b(shelf), 5);
  EXPECT_EQ(shelf.all()[0].problem, "");
}

TEST_F(ServedModelsTest, APipeInPlaceOfTheFileDoesNotBlock) {
  const std::string path = save("x.json", testing::linear_model(2));
  ServedModels shelf({{"x", path}});
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(refresh(shelf), ElementsAre(HasSubstr("not a regular file")));
  std::filesystem::remove(path);
  save_model(testing::linear_model(5), path);
  EXPECT_THAT(refresh(shelf), ElementsAre(HasSubstr("reloaded")));
  EXPECT_EQ(weight_of_b(shelf), 5);
}

TEST_F(ServedModelsTest, RefusesInvalidModels) {
  const std::string path = save("x.json", testing::linear_model());
  EXPECT_THROW(ServedModels({{"x", path}, {"x", path}}), Error);
  EXPECT_THROW(ServedModels({{"x", folder_.file("none.json")}}), Error);
  EXPECT_THROW(ServedModels({}), Error);
}

}  // namespace
}  // namespace podium::served_models_test
