// The model file: one JSON object, docs/formats/model.md. Numbers are written with the fewest
// digits that read back to the same bits. Nothing in a file is trusted: every key, type and size is
// checked.
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include <fmt/format.h>

#include "core/output_file.h"
#include "core/overloaded.h"
#include "core/unpack.h"
#include "data/schema_json.h"
#include "models/file/json_text.h"
#include "models/file/model_reader.h"
#include "models/file/serialize_forest.h"
#include "models/file/serialize_mlp.h"
#include "models/model_kinds.h"
#include "podium/error.h"
#include "podium/model.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "podium-model";
// Versions of the format. Version 1 has no category splits, and files without them still are of
// version 1, so that older programs read them.
constexpr int kVersion = 2, kVersionWithoutCategories = 1;
constexpr auto kLargestInteger =
    static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

void require_finite(std::span<const double> numbers, std::string_view what) {
  for (const double x : numbers)
    if (!std::isfinite(x))
      throw Error(ErrorCode::training, fmt::format("the model's {} are not all finite", what));
}

Json model_json(const Linear& linear) {
  require_finite(linear.weights, "weights");
  require_finite(std::span(&linear.bias, 1), "bias");
  return {{"type", "linear"}, {"weights", linear.weights}, {"bias", linear.bias}};
}
Json model_json(const Forest& forest) {
  return forest_json(forest);
}
Json model_json(const Mlp& mlp) {
  return mlp_json(mlp);
}

Json saved_json(const SavedModel& saved);
Json model_json(const Blend& blend) {
  Json members = Json::array();
  for (const BlendMember& member : blend.members) {
    require_finite(std::vector<double>{member.weight, member.scale}, "weights");
    Json json = {{"weight", member.weight}, {"scale", member.scale}};
    json.update(saved_json(member.saved));
    members.push_back(std::move(json));
  }
  return {{"type", "blend"}, {"members", std::move(members)}};
}

// How the kind of model treats missing values.
std::string_view missing_policy(const Model& model) {
  return std::visit(
      Overloaded{[](const Linear&) { return "zero"; }, [](const Forest&) { return "split"; },
                 [](const Mlp&) { return "mean"; }, [](const Blend&) { return "members"; }},
      model);
}

Json training_json(const SavedModel::Training& training) {
  for (const auto& [name, value] : training.validation)
    require_finite(std::span(&value, 1), "validation values");
  if (const auto& c = training.certificate)
    require_finite(std::vector<double>{c->primal, c->dual, c->gap}, "certificate");
  Json json = {{"rows", training.documents},
               {"queries", training.queries},
               {"fingerprint", fmt::format("{:016x}", training.fingerprint)},
               {"seed", training.seed},
               {"best_iteration", training.best_iteration},
               {"validation", training.validation}};
  if (training.on_top_of_scores) json["on_top_of_scores"] = true;
  if (!training.useless.empty()) json["useless"] = training.useless;
  if (!training.label.empty()) json["label"] = training.label;
  if (training.certificate)
    json["certificate"] = {{"primal", training.certificate->primal},
                           {"dual", training.certificate->dual},
                           {"gap", training.certificate->gap}};
  return json;
}

std::vector<std::pair<std::string, Value>> read_options(const ModelReader& options) {
  std::vector<std::pair<std::string, Value>> out;
  for (const auto& [key, value] : options.json().items()) {
    if (value.is_boolean())
      out.emplace_back(key, value.get<bool>());
    else if (value.is_number_unsigned() && value.get<std::uint64_t>() > kLargestInteger)
      options.fail("option '" + key + "'", "is too large");
    else if (value.is_number_integer())
      out.emplace_back(key, value.get<std::int64_t>());
    else if (value.is_number())
      out.emplace_back(key, value.get<double>());
    else if (value.is_string())
      out.emplace_back(key, value.get<std::string>());
    else
      options.fail("option '" + key + "'", "is neither a number, a string nor true or false");
  }
  return out;
}

// The number of features after the transform, if the file alone determines it.
std::size_t prepared_features(const SavedModel& saved) {
  std::size_t count = 0;
  for (std::size_t f = 0; f < saved.features.size(); ++f) count += inputs_of(saved, f);
  return count;
}

// `saved`: everything that stands before the model.
Linear read_kind(std::type_identity<Linear>, const ModelReader& model, const SavedModel&) {
  return {model.numbers("weights"), model.number("bias")};
}
Forest read_kind(std::type_identity<Forest>, const ModelReader& model, const SavedModel& saved) {
  return read_forest(model, prepared_features(saved));
}
Mlp read_kind(std::type_identity<Mlp>, const ModelReader& model, const SavedModel& saved) {
  return read_mlp(model, prepared_features(saved));
}
SavedModel read_saved(const ModelReader& top, bool is_member);

// A member's features must be the blend's, with the same types.
void require_features_of(const SavedModel& saved, const SavedModel& member,
                         const ModelReader& reader) {
  for (std::size_t f = 0; f < member.features.size(); ++f) {
    const auto found = std::find(saved.features.begin(), saved.features.end(), member.features[f]);
    if (found == saved.features.end())
      reader.fail_at("features", "names '" + member.features[f] + "', which the blend lacks");
    const auto place = static_cast<std::size_t>(found - saved.features.begin());
    if (saved.schema.type(place) != member.schema.type(f))
      reader.fail_at("schema", "has another type for '" + member.features[f] + "'");
  }
}

Blend read_kind(std::type_identity<Blend>, const ModelReader& model, const SavedModel& saved) {
  if (!saved.normalization.is_identity())
    model.fail("'normalization'", "belongs to the members of a blend, not to the blend");
  Blend blend{saved.features, {}};
  for (const ModelReader& reader : model.objects("members")) {
    BlendMember member{reader.number("weight"), reader.number("scale"), {}};
    if (!(member.scale > 0) || !std::isfinite(member.factor()))
      reader.fail_at("scale", "is not a number above 0 that the weight can be divided by");
    member.saved = read_saved(reader, true);
    require_features_of(saved, member.saved, reader);
    blend.members.push_back(std::move(member));
  }
  if (blend.members.empty()) model.fail_at("members", "is empty");
  return blend;
}

template <class... Kinds>
Model read_one_of(std::type_identity<std::variant<Kinds...>>, const ModelReader& model,
                  const SavedModel& saved) {
  const std::string type = model.text("type");
  std::optional<Model> found;
  const auto read_if_named = [&](auto kind) {
    if (type == kind_name(kind)) found = read_kind(kind, model, saved);
  };
  (read_if_named(std::type_identity<Kinds>()), ...);
  if (!found) model.fail_at("type", "'" + type + "' is unknown to this version");
  return *std::move(found);
}

SavedModel::Training read_training(const ModelReader& training) {
  SavedModel::Training out;
  out.documents = training.count("rows");
  out.queries = training.count("queries");
  out.seed = training.count("seed");
  out.best_iteration = static_cast<std::int64_t>(training.count("best_iteration"));
  const std::string hex = training.text("fingerprint");
  if (hex.size() != 16 || hex.find_first_not_of("0123456789abcdef") != std::string::npos)
    training.fail("'training.fingerprint'", "is not 16 hexadecimal digits");
  out.fingerprint = std::stoull(hex, nullptr, 16);
  const ModelReader validation = training.object("validation");
  for (const auto& [key, value] : validation.json().items())
    out.validation[key] = validation.number(key.c_str());
  if (training.has("on_top_of_scores")) {
    if (!training.any("on_top_of_scores").is_boolean())
      training.fail("'training.on_top_of_scores'", "is neither true nor false");
    out.on_top_of_scores = training.any("on_top_of_scores").get<bool>();
  }
  if (training.has("useless")) out.useless = training.text("useless");
  if (training.has("label")) out.label = training.text("label");
  if (training.has("certificate")) {
    const ModelReader certificate = training.object("certificate");
    out.certificate = Certificate{certificate.number("primal"), certificate.number("dual"),
                                  certificate.number("gap")};
  }
  return out;
}

// That fills and encodings are those of the model's features.
void require_preparation(const SavedModel& saved, const ModelReader& top) {
  const Transform& transform = saved.normalization;
  if (transform.imputation != Imputation::none && transform.fills.size() != saved.features.size())
    top.fail_at("normalization", "has fills for another number of features");
  for (const CategoryEncoding& encoding : transform.encodings) {
    const Strings* values = saved.schema.values(encoding.feature);
    if (!values) top.fail_at("normalization", "encodes a feature that is not a category");
    if (encoding.kind == Encoding::target && encoding.statistics.size() != values->size())
      top.fail_at("normalization", "has statistics for another number of categories");
  }
}

FeatureSchema read_schema(const ModelReader& top, const std::vector<std::string>& features) {
  if (!top.has("schema")) return {};
  try {
    return schema_from_json(top.any("schema").dump(), features);
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), {top.file()});
  }
}

bool has_category_splits(const Model& model) {
  const auto has = [](const Tree& tree) { return !tree.categories.empty(); };
  return std::visit(Overloaded{[](const Linear&) { return false; },
                               [&](const Forest& forest) {
                                 return std::any_of(forest.trees.begin(), forest.trees.end(), has);
                               },
                               [](const Mlp&) { return false; },
                               [](const Blend& blend) {
                                 return std::any_of(
                                     blend.members.begin(), blend.members.end(),
                                     [](const BlendMember& member) {
                                       return has_category_splits(member.saved.model);
                                     });
                               }},
                    model);
}

// Category splits must be by values that the schema knows, and categories are not compared.
void check_categories(const Forest& forest, const FeatureSchema& schema, const ModelReader& top) {
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    const Tree& tree = forest.trees[t];
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const Strings* const values = schema.values(tree.nodes[n].feature);
      const std::string what = fmt::format("'model.trees[{}]'", t);
      if (tree.tests_category(n) != (values != nullptr))
        top.fail(what, fmt::format("has a {} at node {}, whose feature is a {}",
                                   values ? "threshold" : "set of categories", n,
                                   values ? "category" : "number"));
      if (values && tree.categories[n].back() >= values->size())
        top.fail(what, fmt::format("has the category {} at node {}, but its feature has {} values",
                                   tree.categories[n].back(), n, values->size()));
    }
  }
}
void check_categories(const Model& model, const FeatureSchema& schema, const ModelReader& top) {
  std::visit(Overloaded{[](const Linear&) {},
                        [&](const Forest& forest) { check_categories(forest, schema, top); },
                        [](const Mlp&) {}, [](const Blend&) {}},  // when each member is read
             model);
}

// No model nests deeper than this; a file that nests without end is not even parsed.
constexpr int kDeepestJson = 16;

bool nests_too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size() && depth <= kDeepestJson; ++i) {
    const char c = text[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == '[' || c == '{'))
      ++depth;
    else if (!in_string && (c == ']' || c == '}'))
      --depth;
  }
  return depth > kDeepestJson;
}

std::size_t line_of(std::string_view text, std::size_t byte) {
  const auto part = text.substr(0, std::min(byte, text.size()));
  return 1 + static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
}

}  // namespace

namespace {

// Everything about a model but the format, which the top of a file has.
Json saved_json(const SavedModel& saved) {
  Json options = Json::object();
  for (const auto& [name, value] : saved.options)
    std::visit([&, &key = name](const auto& v) { options[key] = v; }, value);
  Json json = {
      {"learner", saved.learner},
      {"options", options},
      {"loss", saved.loss},
      {"measure", saved.measure},
      {"features", saved.features},
      {"missing", missing_policy(saved.model)},
      {"normalization", Json::parse(to_json(saved.normalization))},
      {"model", std::visit([](const auto& kind) { return model_json(kind); }, saved.model)},
      {"training", training_json(saved.training)}};
  if (!saved.schema.empty())
    json["schema"] = Json::parse(schema_to_json(saved.schema, saved.features));
  return json;
}

SavedModel read_saved(const ModelReader& top, bool is_member) {
  SavedModel saved;
  saved.learner = top.text("learner");
  saved.options = read_options(top.object("options"));
  saved.loss = top.text("loss");
  saved.measure = top.text("measure");
  saved.features = top.texts("features");
  std::set<std::string_view> names;
  for (const std::string& name : saved.features)
    if (name.empty() || !names.insert(name).second)
      top.fail_at("features", "names '" + name + "' twice, or not at all");
  saved.schema = read_schema(top, saved.features);
  saved.missing = top.text("missing");
  saved.normalization = transform_from_json(top.any("normalization").dump(), top.file());
  if (const auto& thresholds = saved.normalization.thresholds;
      !thresholds.empty() && thresholds.size() != saved.features.size())
    top.fail_at("normalization", "has thresholds for another number of features");
  require_preparation(saved, top);
  const ModelReader model = top.object("model");
  if (is_member && model.text("type") == kind_name(std::type_identity<Blend>()))
    model.fail_at("type", "is a blend, which cannot be a member of a blend");
  saved.model = read_one_of(std::type_identity<Model>(), model, saved);
  if (saved.missing != missing_policy(saved.model))
    top.fail_at("missing", "is not a policy that this version knows for this kind of model");
  saved.training = read_training(top.object("training"));
  if (feature_count(saved.model) != prepared_features(saved))
    top.fail_at("features", "does not fit the size of the model");
  check_categories(saved.model, input_schema(saved), top);
  return saved;
}

}  // namespace

std::string to_json(const SavedModel& saved) {
  Json json = {
      {"format", kFormat},
      {"version", has_category_splits(saved.model) ? kVersion : kVersionWithoutCategories}};
  json.update(saved_json(saved));
  return to_text(json) + "\n";
}

SavedModel model_from_json(std::string_view text, const std::string& file) {
  if (nests_too_deep(text))
    throw Error(ErrorCode::data, "not a Podium model: the JSON nests too deep", {file});
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(ErrorCode::data, "not a Podium model: the JSON is damaged",
                {file, line_of(text, error.byte)});
  } catch (const Json::out_of_range&) {
    throw Error(ErrorCode::data, "not a Podium model: a number in it is too large", {file});
  }
  const ModelReader top(json, file);
  if (top.text("format") != kFormat) top.fail("'format'", "is not 'podium-model'");
  if (top.count("version") == 0) top.fail("'version'", "is 0");
  if (top.count("version") > kVersion)
    throw Error(ErrorCode::data, "the model was written by a newer version of Podium", {file});
  return read_saved(top, false);
}

void save_model(const SavedModel& saved, const std::string& path) {
  OutputFile file(path);
  file.write(to_json(saved));
  file.commit();
}

SavedModel load_model(const std::string& path) {
  return model_from_json(read_file(path), path);
}

}  // namespace podium
