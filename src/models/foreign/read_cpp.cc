// Reads the tables of an exported C++ header as text, and computes what its function would.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "models/foreign/foreign_model.h"
#include "models/foreign/foreign_tree.h"

namespace podium {
namespace {

// The numbers of `NAME[] = { … };`.
std::vector<double> table(const std::string& content, const std::string& name) {
  const std::size_t begin = content.find(" " + name + "[] = {");
  if (begin == std::string::npos) fail_foreign("it has no table " + name);
  const std::size_t end = content.find("};", begin);
  std::vector<double> out;
  for (std::size_t at = content.find('{', begin) + 1; at < end;) {
    char* stop = nullptr;
    out.push_back(std::strtod(content.c_str() + at, &stop));
    const std::size_t comma = content.find(',', at);
    if (comma >= end || stop == content.c_str() + at) {
      out.pop_back();
      break;
    }
    at = comma + 1;
  }
  return out;
}

std::vector<double> optional_table(const std::string& content, const std::string& name) {
  const bool is_there = content.find(" " + name + "[] = {") != std::string::npos;
  return is_there ? table(content, name) : std::vector<double>();
}

// The number after NAME = in the function.
std::size_t constant(const std::string& content, const std::string& name) {
  const std::size_t at = content.find(name + " = ");
  if (at == std::string::npos) fail_foreign("it has no " + name);
  return std::strtoul(content.c_str() + at + name.size() + 3, nullptr, 10);
}

float logarithm(float x) {
  return static_cast<float>(std::copysign(math::log1p(std::fabs(static_cast<double>(x))), x));
}

class CppLinear final : public ForeignModel {
 public:
  explicit CppLinear(const std::string& content)
      : weights_(table(content, "kWeights")),
        bias_(table(content, "kBias").at(0)),
        log1p_(content.find("std::log1p") != std::string::npos) {}

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    double sum = 0;
    for (std::size_t f = 0; f < weights_.size(); ++f) {
      const float x = log1p_ ? logarithm(features[f]) : features[f];
      if (!std::isnan(x)) sum += weights_[f] * x;
    }
    return sum + bias_;
  }
  Precision precision() const noexcept override { return Precision::twofold; }

 private:
  std::vector<double> weights_;
  double bias_;
  bool log1p_;
};

class CppForest final : public ForeignModel {
 public:
  explicit CppForest(const std::string& content)
      : root_(table(content, "kRoot")),
        feature_(table(content, "kFeature")),
        threshold_(table(content, "kThreshold")),
        missing_left_(table(content, "kMissingLeft")),
        left_(table(content, "kLeft")),
        right_(table(content, "kRight")),
        value_(table(content, "kValue")),
        base_(table(content, "kBase")),
        link_(optional_table(content, "kLinkValues")),
        offset_(optional_table(content, "kOffsetFeature")),
        category_begin_(optional_table(content, "kCategoryBegin")),
        category_(optional_table(content, "kCategory")),
        softmax_(content.find("the mean under softmax") != std::string::npos),
        cumulative_(content.find("// cumulative") != std::string::npos) {
    root_.resize(constant(content, "kTrees"));
  }

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    std::vector<double> outputs = base_;
    if (!offset_.empty())
      if (const float x = features[static_cast<std::size_t>(offset_[0])]; !std::isnan(x))
        for (double& output : outputs) output += x;
    for (std::size_t t = 0; t < root_.size(); ++t) {
      double at = root_[t];
      while (at >= 0) {
        const auto node = static_cast<std::size_t>(at);
        const float x = features[static_cast<std::size_t>(feature_.at(node))];
        const bool left = x != x            ? missing_left_.at(node) != 0
                          : tests_set(node) ? is_in_set(node, x)
                                            : x <= threshold_.at(node);
        at = left ? left_.at(node) : right_.at(node);
      }
      tree_values.push_back(value_.at(static_cast<std::size_t>(-1 - at)));
      outputs[t % outputs.size()] += tree_values.back();
    }
    return softmax_ ? mean(outputs) : cumulative_ ? steps(outputs) : outputs[0];
  }
  Precision precision() const noexcept override { return Precision::twofold; }

 private:
  bool tests_set(std::size_t node) const {
    return !category_begin_.empty() && category_begin_.at(node) < category_begin_.at(node + 1);
  }
  bool is_in_set(std::size_t node, float x) const {
    for (auto i = static_cast<std::size_t>(category_begin_[node]);
         i < static_cast<std::size_t>(category_begin_[node + 1]); ++i)
      if (category_.at(i) == static_cast<double>(x)) return true;
    return false;
  }
  double mean(const std::vector<double>& outputs) const {
    const double top = *std::max_element(outputs.begin(), outputs.end());
    double sum = 0, total = 0;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const double p = math::exp(outputs[k] - top);
      sum += link_.at(k) * p;
      total += p;
    }
    return sum / total;
  }
  double steps(const std::vector<double>& outputs) const {
    double sum = link_.at(0);
    for (std::size_t k = 0; k < outputs.size(); ++k)
      sum += (link_.at(k + 1) - link_.at(k)) / (1 + math::exp(-outputs[k]));
    return sum;
  }

  std::vector<double> root_, feature_, threshold_, missing_left_, left_, right_, value_, base_,
      link_, offset_, category_begin_, category_;
  bool softmax_, cumulative_;
};

class CppNetwork final : public ForeignModel {
 public:
  explicit CppNetwork(const std::string& content)
      : mean_(table(content, "kMean")),
        factor_(table(content, "kFactor")),
        widths_(table(content, "kWidths")),
        parameters_(table(content, "kParameters")),
        tanh_(content.find("std::tanh") != std::string::npos),
        log1p_(content.find("std::log1p") != std::string::npos) {}

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    std::vector<float> values;
    for (std::size_t f = 0; f < mean_.size(); ++f) {
      const float x = log1p_ ? logarithm(features[f]) : features[f];
      const float z = (x - static_cast<float>(mean_[f])) * static_cast<float>(factor_[f]);
      values.push_back(std::isnan(z) ? 0.0F : z);
    }
    std::size_t at = 0;
    for (std::size_t l = 1; l + 1 < widths_.size(); ++l) {
      std::vector<float> next;
      for (std::size_t o = 0; o < static_cast<std::size_t>(widths_[l]); ++o)
        next.push_back(static_cast<float>(parameters_.at(at++)));
      for (const float value : values)
        for (float& sum : next) sum += static_cast<float>(parameters_.at(at++)) * value;
      for (float& x : next) x = tanh_ ? static_cast<float>(math::tanh(x)) : std::max(x, 0.0F);
      values = std::move(next);
    }
    const double bias = parameters_.at(at++);
    double sum = 0;
    for (const float value : values) sum += parameters_.at(at++) * static_cast<double>(value);
    return sum + bias;
  }
  // Because the hidden layers are.
  Precision precision() const noexcept override { return Precision::single; }

 private:
  std::vector<double> mean_, factor_, widths_, parameters_;
  bool tanh_, log1p_;
};

std::unique_ptr<const ForeignModel> read_tables(const std::string& text);

// Σ factor · score of the namespaces member0, member1, …
class CppBlend final : public ForeignModel {
 public:
  explicit CppBlend(const std::string& content) : factors_(table(content, "kFactors")) {
    for (std::size_t m = 0; m < factors_.size(); ++m) {
      const std::size_t begin = content.find(fmt::format("namespace member{} {{", m));
      const std::size_t end = content.find(fmt::format("}}  // namespace member{}\n", m));
      if (begin == std::string::npos || end == std::string::npos || end < begin)
        fail_foreign(fmt::format("it has no member {}", m));
      members_.push_back(read_tables(content.substr(begin, end - begin)));
    }
  }

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    double sum = 0;
    for (std::size_t m = 0; m < members_.size(); ++m)
      sum += factors_[m] * members_[m]->score(features, tree_values);
    return sum;
  }
  Precision precision() const noexcept override {
    const bool exact = std::all_of(members_.begin(), members_.end(), [](const auto& member) {
      return member->precision() == Precision::twofold;
    });
    return exact ? Precision::twofold : Precision::single;
  }

 private:
  std::vector<double> factors_;
  std::vector<std::unique_ptr<const ForeignModel>> members_;
};

std::unique_ptr<const ForeignModel> read_tables(const std::string& text) {
  if (text.find(" kFactors[]") != std::string::npos) return std::make_unique<CppBlend>(text);
  if (text.find(" kRoot[]") != std::string::npos) return std::make_unique<CppForest>(text);
  if (text.find(" kWeights[]") != std::string::npos) return std::make_unique<CppLinear>(text);
  return std::make_unique<CppNetwork>(text);
}

}  // namespace

std::unique_ptr<const ForeignModel> read_cpp_header(std::string_view content,
                                                    std::span<const std::string> features) {
  const std::string text(content);
  if (constant(text, "kFeatures") != features.size())
    fail_foreign("it has a different number of features");
  return read_tables(text);
}

}  // namespace podium
