// The model loader: any bytes either load, and the saved model loads again, or cause an Error. A
// loaded forest gives the same scores by both methods.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "models/forest/fast_forest.h"
#include "models/forest/forest.h"
#include "podium/error.h"
#include "podium/model.h"

namespace {

// Documents full of 0, of 1, and of missing values.
podium::Dataset some_documents(std::size_t features) {
  std::vector<float> values(3 * features, 0.0F);
  for (std::size_t f = 0; f < features; ++f) {
    values[features + f] = 1;
    values[2 * features + f] = std::numeric_limits<float>::quiet_NaN();
  }
  podium::DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, 3};
  parts.qids = podium::make_strings(std::vector<std::string>{"1"});
  parts.labels = std::vector<float>(3);
  parts.features = features;
  parts.dense = std::move(values);
  return podium::Dataset(std::move(parts));
}

void score_both_ways(const podium::Forest& forest) {
  const podium::Dataset data = some_documents(forest.features);
  static podium::ThreadPool pool(1);
  const std::size_t width = forest.base.size();
  std::vector<double> fast = podium::first_outputs(forest, data, pool), plain = fast;
  podium::FastForest(forest.trees, width, forest.features).add_to(fast, data, pool);
  const auto leaves = podium::leaf_indices(forest, data, pool);
  const std::size_t trees = forest.trees.size();
  for (std::size_t i = 0; i < data.documents() * trees; ++i) {
    const std::size_t t = i % trees;
    plain[i / trees * width + t % width] += forest.trees[t].values[leaves[i]];
  }
  for (std::size_t i = 0; i < plain.size(); ++i)
    if (plain[i] != fast[i] && !(std::isnan(plain[i]) && std::isnan(fast[i]))) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const podium::SavedModel model =
        podium::model_from_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    const std::string json = podium::to_json(model);
    if (podium::to_json(podium::model_from_json(json, "again.json")) != json) std::abort();
    if (const auto* forest = std::get_if<podium::Forest>(&model.model)) score_both_ways(*forest);
  } catch (const podium::Error&) {
    return 0;
  }
  return 0;
}
