// XGBoost's saved model (`save_model`, JSON or UBJSON) as it stands in the file, checked: arrays
// fit, and one output. Trees, DART and linear boosters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

// To the left where x < condition, in single precision.
struct XgboostTree {
  std::vector<std::int64_t> left, right;  // < 0 at leaves; nodes that nothing leads to were pruned
  std::vector<std::int64_t> feature;
  std::vector<float> condition;  // of splits; the value of leaves
  std::vector<bool> default_left;
  std::vector<double> gain, cover;  // may be empty
  float weight = 1;                 // DART's
  std::map<std::size_t, std::vector<std::uint32_t>>
      categories;  // that go right, of category splits
};

struct XgboostFile {
  std::string objective;
  // What XGBoost makes of a sum of leaves when it predicts; all keep the order.
  enum class Output { sum, logistic, exponential, sign } output = Output::sum;
  std::uint64_t features = 0;
  std::vector<std::string> feature_names;  // may be empty
  float base_margin = 0;                   // the first summand of every score
  std::vector<XgboostTree> trees;
  std::vector<float> linear;  // gblinear: one weight per feature, then the bias; else empty
  std::optional<std::int64_t> best_iteration;
  // By feature: the values of its category, by number; files have them since 3.1, of tables.
  std::map<std::uint32_t, std::vector<std::string>> category_names = {};
};

// Error (data). What Podium cannot express (several outputs) is refused here.
XgboostFile parse_xgboost(std::string_view content, const std::string& file);

}  // namespace podium
