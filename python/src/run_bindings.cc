// TREC runs: as features, and combined into one.
#include "bindings.h"
#include "podium/rank_fusion.h"
#include "podium/run_features.h"

namespace podium::python {
namespace {

std::vector<TrecFile> read_runs(const std::vector<std::string>& paths, Context& context) {
  std::vector<TrecFile> runs;
  for (const std::string& path : paths) runs.push_back(read_run(path, context));
  return runs;
}

nb::tuple features_of(const std::vector<std::string>& paths,
                      const std::optional<std::string>& qrels_path, const Assignments& given,
                      int threads) {
  RunFeatures made;
  {
    const nb::gil_scoped_release free;
    const auto& table = run_feature_option_table();
    const RunFeatureOptions options = table.read(Settings(table.fields(), given));
    Frame frame(threads);
    const std::vector<TrecFile> runs = read_runs(paths, frame.context());
    std::optional<TrecFile> qrels;
    if (qrels_path) qrels = read_qrels(*qrels_path, frame.context());
    made = run_features(runs, qrels, options, frame.context());
  }
  return nb::make_tuple(std::move(made.data), made.unjudged_topics);
}

// {topic: {document: score}}, best first.
nb::dict fused(const std::vector<std::string>& paths, const Assignments& given, int threads) {
  std::vector<FusedTopic> topics;
  {
    const nb::gil_scoped_release free;
    const auto& table = fusion_option_table();
    const FusionOptions options = table.read(Settings(table.fields(), given));
    Frame frame(threads);
    topics = fuse(read_runs(paths, frame.context()), options, frame.context());
  }
  nb::dict out;
  for (const FusedTopic& topic : topics) {
    nb::dict documents;
    for (const auto& [id, score] : topic.documents) documents[id.c_str()] = score;
    out[topic.topic.c_str()] = documents;
  }
  return out;
}

}  // namespace

void bind_runs(nb::module_& module) {
  module.def("run_features", &features_of, nb::arg("runs"), nb::arg("qrels").none(),
             nb::arg("options"), nb::arg("threads"));
  module.def("fuse", &fused, nb::arg("runs"), nb::arg("options"), nb::arg("threads"));
}

}  // namespace podium::python
