// The importers: any bytes either become a model that can be saved, loaded, exported again, and
// explained by numbers that add up, or cause an Error. A text that begins with '#' is read as
// RankLib's, one that begins with 't' as LightGBM's; otherwise the first byte selects the format of
// the rest.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string_view>

#include "podium/error.h"
#include "podium/explain.h"
#include "podium/export.h"

namespace {

// Two documents, full of 1 and of missing values.
podium::Dataset some_documents(const podium::SavedModel& model) {
  const std::size_t features = model.features.size();
  std::vector<float> values(2 * features, 1.0F);
  for (std::size_t f = 0; f < features; ++f)
    values[features + f] = std::numeric_limits<float>::quiet_NaN();
  podium::DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, 2};
  parts.qids = podium::make_strings(std::vector<std::string>{"1"});
  parts.labels = std::vector<float>(2);
  parts.features = features;
  parts.feature_names = model.features;
  parts.dense = std::move(values);
  return podium::Dataset(std::move(parts));
}

// Contributions and rest add up to the score, unless numbers overflow.
void explain_all(const podium::SavedModel& model) {
  static podium::ThreadPool pool(1);
  static const auto comm = podium::make_local_communicator();
  static podium::Observer silent;
  podium::Context context{1, pool, *comm, silent};
  for (const podium::Explanation& why :
       podium::explain(model.model, some_documents(model), context)) {
    if (why.contributions.size() != model.features.size()) std::abort();
    double sum = why.base, size = std::abs(why.base) + std::abs(why.score);
    for (const double part : why.contributions) {
      sum += part;
      size += std::abs(part);
    }
    if (std::isfinite(size) && !(std::abs(sum - why.score) <= 1e-9 * size)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text{reinterpret_cast<const char*>(data), size};
  std::string_view format = text.starts_with('#') ? "ranklib" : "lightgbm";
  if (!text.empty() && text[0] != '#' && text[0] != 't') {
    constexpr std::string_view kFormats[] = {"xgboost", "catboost", "onnx", "solr",
                                             "elasticsearch"};
    format = kFormats[static_cast<unsigned char>(text[0]) % std::size(kFormats)];
    text.remove_prefix(1);
  }
  try {
    const podium::SavedModel model = podium::import_model(text, "fuzz.txt", format).model;
    const std::string json = podium::to_json(model);
    if (podium::to_json(podium::model_from_json(json, "again.json")) != json) std::abort();
    const bool is_forest = std::holds_alternative<podium::Forest>(model.model);
    // Those of networks are sums of single precision, with an error of their own.
    const bool is_network = std::holds_alternative<podium::Mlp>(model.model);
    if (model.features.size() <= 1000 && !is_network) explain_all(model);
    for (const char* to : {"lightgbm", "xgboost-ubj", "xgboost-json"})
      if (is_forest) podium::export_model(model, to);
    podium::export_model(model, "onnx");
  } catch (const podium::Error&) {
    return 0;
  }
  return 0;
}
