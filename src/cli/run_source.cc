#include "cli/run_source.h"

#include <fmt/format.h>

#include "podium/error.h"

namespace podium::cli {
namespace {

void tell(const RunFeatures& features, const RunFeatureOptions& options, Observer& observer) {
  if (features.unjudged_topics > 0)
    observer.note(fmt::format("topics without judgements, left out: {}", features.unjudged_topics));
  if (features.judged_topics_apart > 0)
    observer.note(fmt::format("judged topics that no run has: {}", features.judged_topics_apart));
  if (features.unjudged_documents > 0)
    observer.note(fmt::format("documents without a judgement, {}: {}",
                              options.unjudged == UnjudgedDocuments::drop ? "left out" : "label 0",
                              features.unjudged_documents));
}

}  // namespace

void RunSource::add(CLI::App& command) {
  const std::string group = "TREC runs";
  runs_
      .add(command,
           "instead of IN: TREC runs; a topic's documents are the union of every run's best ones, "
           "and each run's score is a feature named after its file")
      ->group(group);
  command
      .add_option("--qrels", qrels_,
                  "TREC judgements: the labels; topics without any are left out (default: no "
                  "judgements, labels are 0)")
      ->type_name("FILE")
      ->group(group);
  fields_.add(command, run_feature_option_table().fields(), group);
}

void RunSource::check() const {
  const Assignments given = fields_.given();
  if (!runs_.given() && !qrels_.empty()) throw Error(ErrorCode::usage, "--qrels needs --runs");
  if (!runs_.given() && !given.empty())
    throw Error(ErrorCode::usage, fmt::format("--{} needs --runs", given[0].first));
  for (const auto& [name, value] : given)
    if (name == "unjudged" && qrels_.empty())
      throw Error(ErrorCode::usage, "--unjudged needs --qrels");
}

RunFeatures RunSource::read(Context& context) const {
  const auto& table = run_feature_option_table();
  const RunFeatureOptions options = table.read(Settings(table.fields(), fields_.given()));
  const std::vector<TrecFile> runs = runs_.read(context);
  std::optional<TrecFile> qrels;
  if (!qrels_.empty()) qrels = read_qrels(qrels_, context);
  context.observer.phase("joining runs");
  RunFeatures features = run_features(runs, qrels, options, context);
  tell(features, options, context.observer);
  return features;
}

Json to_json(const RunFeatures& features) {
  return {{"topics_without_judgements", features.unjudged_topics},
          {"judged_topics_in_no_run", features.judged_topics_apart},
          {"documents_without_judgement", features.unjudged_documents}};
}

}  // namespace podium::cli
