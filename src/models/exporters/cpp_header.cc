// C++17 headers that need only the standard library: linear models and perceptrons, and the frame
// for all. A missing value is a NaN.
#include "models/exporters/cpp_header.h"

#include <algorithm>
#include <cctype>

#include "models/exporters/added_models.h"

namespace podium {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// A namespace that is neither a keyword nor a function of the C library: letters and digits, runs
// of other characters as one '_', and the suffix `_model`.
std::string namespace_of(const std::string& name) {
  std::string out;
  for (const char c : name)
    if (is_word(c))
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  while (out.ends_with('_')) out.pop_back();
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out.insert(0, "m");
  return out + "_model";
}

// The learner's name, made safe for a comment.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return c == '\\' || static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

// The expression that reads a feature: through log1p if the model uses it.
std::string value_of(const ExportTask& task, std::string_view index) {
  const std::string x = fmt::format("features[{}]", index);
  if (task.model.inputs == PortableModel::Inputs::plain) return x;
  return fmt::format(
      "static_cast<float>(std::copysign(std::log1p(std::fabs(static_cast<double>({0}))), {0}))", x);
}

}  // namespace

std::string cpp_number(double x) {
  return fmt::format("{:a}", x);
}
std::string cpp_number(float x) {
  return fmt::format("{:a}f", x);
}

std::string cpp_texts(std::string_view name, const std::vector<std::string>& texts) {
  std::string out = fmt::format("inline constexpr const char* {}[] = {{\n", name);
  for (const std::string& text : texts) {
    out += "    \"";
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\')
        out += fmt::format("\\{}", c);
      else if (byte < ' ' || byte == 127)
        out += fmt::format("\\{:03o}", byte);
      else
        out += c;
    }
    out += "\",\n";
  }
  return out + "};\n";
}

std::string cpp_header(const ExportTask& task, const std::string& tables, const std::string& body) {
  const std::string name = namespace_of(task.options.name);
  return fmt::format(
      "// A ranking model of {0} features, trained by {1}. Written by Podium.\n"
      "// score() takes the features in the order of kFeatureNames; a missing value is a NaN.\n"
      "#pragma once\n\n#include <cmath>\n#include <cstddef>\n#include <cstdint>\n\n"
      "namespace {2} {{\n\ninline constexpr std::size_t kFeatures = {0};\n{3}{4}\n"
      "inline double score(const float* features) {{\n{5}}}\n\n}}  // namespace {2}\n",
      task.features().size(), one_line(task.model.learner), name,
      cpp_texts("kFeatureNames", task.features()), tables, body);
}

CppParts cpp_parts(const ExportTask& task, const Linear& linear) {
  const std::vector<double> bias = {linear.bias};
  return {cpp_table("double", "kWeights", linear.weights) + cpp_table("double", "kBias", bias),
          fmt::format("  double sum = 0;\n"
                      "  for (std::size_t f = 0; f < kFeatures; ++f) {{\n"
                      "    const float x = {};\n"
                      "    if (!std::isnan(x)) sum += kWeights[f] * x;\n"
                      "  }}\n"
                      "  return sum + kBias[0];\n",
                      value_of(task, "f"))};
}

CppParts cpp_parts(const ExportTask& task, const Mlp& mlp) {
  std::vector<float> factor;
  for (const float scale : mlp.scale) factor.push_back(scale > 0 ? 1 / scale : 0.0F);
  std::vector<std::size_t> widths = {mlp.mean.size()};
  std::vector<float> parameters;  // per layer: biases, then the weights input by input
  for (const Mlp::Layer& layer : mlp.layers) {
    widths.push_back(layer.bias.size());
    parameters.insert(parameters.end(), layer.bias.begin(), layer.bias.end());
    for (std::size_t i = 0; i < layer.weights[0].size(); ++i)
      for (const std::vector<float>& row : layer.weights) parameters.push_back(row[i]);
  }
  const std::string tables = cpp_table("float", "kMean", mlp.mean) +
                             cpp_table("float", "kFactor", factor) +
                             cpp_table("std::size_t", "kWidths", widths) +
                             "// Of each layer the biases, then input by input the weights.\n" +
                             cpp_table("float", "kParameters", parameters);
  const std::size_t widest = *std::max_element(widths.begin(), widths.end());
  const std::string body = fmt::format(
      "  constexpr std::size_t kLayers = {}, kWidest = {};\n"
      "  float values[kWidest], next[kWidest];\n"
      "  for (std::size_t f = 0; f < kFeatures; ++f) {{\n"
      "    const float z = ({} - kMean[f]) * kFactor[f];\n"
      "    values[f] = std::isnan(z) ? 0.0f : z;\n"
      "  }}\n"
      "  const float* parameter = kParameters;\n"
      "  for (std::size_t l = 0; l + 1 < kLayers; ++l) {{\n"
      "    const std::size_t width = kWidths[l + 1];\n"
      "    for (std::size_t o = 0; o < width; ++o) next[o] = *parameter++;\n"
      "    for (std::size_t i = 0; i < kWidths[l]; ++i)\n"
      "      for (std::size_t o = 0; o < width; ++o) next[o] += *parameter++ * values[i];\n"
      "    for (std::size_t o = 0; o < width; ++o) values[o] = {};\n"
      "  }}\n"
      "  const double bias = *parameter++;\n"
      "  double sum = 0;\n"
      "  for (std::size_t i = 0; i < kWidths[kLayers - 1]; ++i)\n"
      "    sum += static_cast<double>(*parameter++) * values[i];\n"
      "  return sum + bias;\n",
      mlp.layers.size(), widest, value_of(task, "f"),
      mlp.activation == Mlp::Activation::tanh ? "std::tanh(next[o])"
                                              : "next[o] < 0 ? 0.0f : next[o]");
  return {tables, body};
}

// Each member in a namespace of its own.
CppParts cpp_parts(const ExportTask& task, const Blend& blend) {
  std::vector<double> factors;
  CppParts out;
  out.tables = cpp_category_names(task);  // the same for all members
  for (const BlendMember& member : blend.members) {
    const PortableModel portable = member_model(member);
    const ExportTask part{portable, task.can, task.options, task.exported};
    const CppParts inner =
        std::visit([&](const auto& kind) { return cpp_parts(part, kind); }, portable.model);
    const std::string name = fmt::format("member{}", factors.size());
    out.tables += fmt::format(
        "\nnamespace {0} {{\n\n// {1}\n{2}\ninline double score(const float* features) "
        "{{\n{3}}}\n\n"
        "}}  // namespace {0}\n",
        name, one_line(portable.learner), inner.tables, inner.body);
    out.body += fmt::format("  sum += kFactors[{}] * {}::score(features);\n", factors.size(), name);
    factors.push_back(member.factor());
  }
  out.tables += "\n" + cpp_table("double", "kFactors", factors);
  out.body = "  double sum = 0;\n" + out.body + "  return sum;\n";
  return out;
}

namespace {
template <class Kind>
std::string whole_header(const ExportTask& task, const Kind& model) {
  const CppParts parts = cpp_parts(task, model);
  return cpp_header(task, parts.tables, parts.body);
}
}  // namespace

std::string cpp_linear(const ExportTask& task, const Linear& linear) {
  return whole_header(task, linear);
}
std::string cpp_forest(const ExportTask& task, const Forest& forest) {
  return whole_header(task, forest);
}
std::string cpp_mlp(const ExportTask& task, const Mlp& mlp) {
  return whole_header(task, mlp);
}
std::string cpp_blend(const ExportTask& task, const Blend& blend) {
  return whole_header(task, blend);
}

}  // namespace podium
